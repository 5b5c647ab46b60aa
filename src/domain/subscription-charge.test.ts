// When a subscription can be charged, as a table: by UTC days, by its end and by what its card is worth.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHardDecline, refuseUnlessDue } from './subscription-charge.ts';
import type { Subscription } from './subscription.ts';

const at = (text: string): number => Date.parse(text);

const aSubscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: '0'.repeat(32),
  merchantId: 1,
  kind: 'scheduled',
  version: 1,
  beganOn: '2026-01-31',
  intervalDays: 28,
  endsAt: at('2026-12-31T12:00:00Z'),
  state: 'active',
  secret: '',
  paymentId: '0'.repeat(32),
  acquirer: 'simulator',
  source: 'sim_approved',
  method: { paymentType: 'CARD', paymentMethod: 'Visa' },
  consent: { agreedAt: 0, amount: 1, currency: 'SEK' },
  ...changes,
});

const rows: readonly [what: string, changes: Partial<Subscription>, moment: string, name: string | undefined][] = [
  ['the day before', {}, '2026-02-27T23:59:59.999Z', 'subscription_is_charged_too_early'],
  ['the first day, from its first moment', {}, '2026-02-28T00:00:00Z', undefined],
  [
    'counted from the latest charge',
    { chargedOn: '2026-02-28' },
    '2026-03-27T12:00:00Z',
    'subscription_is_charged_too_early',
  ],
  ['and due after it', { chargedOn: '2026-02-28' }, '2026-03-28T00:00:00Z', undefined],
  ['no interval is no limit', { intervalDays: 0, chargedOn: '2026-02-28' }, '2026-02-28T00:00:00Z', undefined],
  [
    'no interval is no limit, by a clock that is days behind as well',
    { intervalDays: 0, chargedOn: '2026-02-28' },
    '2026-02-20T00:00:00Z',
    undefined,
  ],
  ['the very end still counts', {}, '2026-12-31T12:00:00Z', undefined],
  ['after its end', {}, '2026-12-31T12:00:00.001Z', 'subscription_has_expired'],
  ['a card that is refused for good', { state: 'needs_card' }, '2026-03-01T00:00:00Z', 'subscription_needs_a_new_card'],
  ['expired goes before the card', { state: 'needs_card' }, '2027-01-01T00:00:00Z', 'subscription_has_expired'],
  ['ended by the consumer', { state: 'ended' }, '2026-03-01T00:00:00Z', 'subscription_was_ended'],
];

for (const [what, changes, moment, name] of rows)
  test(`due or not: ${what}`, () => {
    assert.equal(refuseUnlessDue(aSubscription(changes), at(moment))?.name, name);
  });

test('too early names the first day', () => {
  const refusal = refuseUnlessDue(aSubscription(), at('2026-02-01T00:00:00Z'));
  assert.deepEqual(refusal, { name: 'subscription_is_charged_too_early', firstDay: '2026-02-28' });
});

test('an unscheduled one has neither interval nor end', () => {
  const {
    intervalDays: _interval,
    endsAt: _end,
    ...rest
  } = aSubscription({ kind: 'unscheduled', chargedOn: '2026-02-28' });
  for (const moment of ['2026-02-20T00:00:00Z', '2099-02-28T00:00:00Z'])
    assert.equal(refuseUnlessDue(rest, at(moment)), undefined);
});

test('hard declines are the eight codes that are never to be tried again', () => {
  for (const code of ['04', '14', '15', '41', '43', '46', '54', '57']) assert.equal(isHardDecline(code), true, code);
  for (const code of ['05', '51', '65', undefined]) assert.equal(isHardDecline(code), false, code);
});
