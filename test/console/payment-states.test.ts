// Goal: the list of payments and the page of a payment say the same of its state, whatever was charged, cancelled and
// refunded of it and however old it is. Method: a table of payments of 100, made through the API and, for the last column,
// looked at eight days later by their merchant's clock. The table of states in the documentation is compared as a text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { stateTexts } from '../../src/console/payment/state-badges.ts';
import { PAYMENT_STATES, STATE_NAMES } from '../../src/domain/state.ts';
import type { Client } from '../support/client.ts';
import { signIn } from '../support/console.ts';
import type { Visitor } from '../support/console.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';
import { root } from '../tidy/source.ts';

type Case = readonly [charged: number, cancelled: number, refunded: number, words: string, after8Days?: string];

const REST = ', Partly charged';
const REST_OVER = ', Partly charged, Reservation expired';

const CASES: readonly Case[] = [
  [0, 0, 0, 'Reserved', 'Reservation expired'],
  [0, 40, 0, 'Reserved, Partly cancelled', 'Reservation expired, Partly cancelled'],
  [0, 100, 0, 'Cancelled'],
  [60, 0, 0, 'Partly charged', 'Partly charged, Reservation expired'],
  [60, 20, 0, 'Partly charged, Partly cancelled', 'Partly charged, Partly cancelled, Reservation expired'],
  [60, 40, 0, 'Charged, Partly cancelled'],
  [100, 0, 0, 'Charged'],
  [60, 0, 20, `Partly refunded${REST}`, `Partly refunded${REST_OVER}`],
  [60, 40, 20, 'Partly refunded, Partly cancelled'],
  [100, 0, 20, 'Partly refunded'],
  [60, 0, 60, `Refunded${REST}`, `Refunded${REST_OVER}`],
  [60, 20, 60, `Refunded${REST}, Partly cancelled`, 'Refunded, Partly charged, Partly cancelled, Reservation expired'],
  [60, 40, 60, 'Refunded, Partly cancelled'],
  [100, 0, 100, 'Refunded'],
];

const wordsIn = (part: string): string =>
  Array.from(part.matchAll(/<span class="badge \w+">([^<]*)</g), ([, word]) => word).join(', ');

const between = (text: string, start: string, end: string): string => {
  const [, rest] = text.split(start);
  assert.ok(rest !== undefined, `${start} is not there`);
  return rest.split(end)[0] as string;
};

describe('the state of a payment in words', () => {
  let service: SharedService;
  before(() => {
    service = shareService();
  });
  after(() => service.close());

  async function move(client: Client, id: string, [charged, cancelled, refunded]: Case): Promise<void> {
    if (charged > 0) {
      const chargeId = await client.charge(id, charged);
      if (refunded > 0) await client.refund(chargeId, refunded);
    }
    if (cancelled > 0) await client.cancel(id, cancelled);
  }

  /** What the list says, by the ids of the payments; the page of each has to say the same. */
  async function look(visitor: Visitor, home: string): Promise<Map<string, string>> {
    const pageOf = async (path: string): Promise<string> => (await visitor.ask(path)).text();
    const list = await pageOf(home);
    const said = new Map<string, string>();
    for (const [, id = ''] of list.matchAll(/data-id="([0-9a-f]{32})"/g)) {
      const words = wordsIn(between(list, `data-id="${id}"`, '</tr>'));
      const page = await pageOf(`${home}/${id}`);
      assert.equal(wordsIn(between(page, 'class="payment-title"', 'class="payment-facts')), words, 'page and list');
      said.set(id, words);
    }
    return said;
  }

  // decision: state-of-a-payment
  test('in the list and on the page, now and in eight days', async () => {
    const { merchant, client } = await service.openShop();
    const expected: (readonly [id: string, now: string, later: string])[] = [];
    for (const one of CASES) {
      const id = await client.createReserved(100);
      await move(client, id, one);
      const [, , , now, later = now] = one;
      expected.push([id, now, later]);
    }
    expected.push([await client.create(), 'Not paid', 'Expired']);
    const declined = await client.create();
    const card = '4000000000009995';
    await client.post(`/v1/sandbox/payments/${declined}/reserve`, { card });
    expected.push([declined, 'Not paid, Declined', 'Expired, Declined']);
    const terminated = await client.create();
    await client.must(204, 'PUT', `/v1/payments/${terminated}/terminate`);
    expected.push([terminated, 'Terminated', 'Terminated']);
    const visitor = await signIn(service, merchant.id, 'viewer');
    const home = `/console/${merchant.id}/payments`;
    const now = await look(visitor, home);
    assert.deepEqual(
      expected.map(([id]) => now.get(id)),
      expected.map(([, words]) => words),
    );
    await client.must(200, 'POST', '/v1/sandbox/clock', { advanceSeconds: 8 * 86_400 });
    const later = await look(visitor, home);
    assert.deepEqual(
      expected.map(([id]) => later.get(id)),
      expected.map(([, , words]) => words),
    );
  });
});

test('the documentation has the table of states as the program has it', () => {
  const page = readFileSync(join(root, 'docs/operate/console.md'), 'utf8');
  const lines = STATE_NAMES.map((state) => {
    const { means, next } = PAYMENT_STATES[state];
    return `| ${stateTexts('en')[state]} | \`${state}\` | ${means} | ${next.join(', ') || 'nothing'} |`;
  });
  assert.ok(page.includes(`\n${lines.join('\n')}\n\n`), `the table has to be:\n${lines.join('\n')}`);
});
