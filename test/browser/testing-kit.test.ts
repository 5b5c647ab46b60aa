// Goal: the test kit pays in a browser, on the hosted page and in the shop's own, also where the bank asks. Method: a real
// Chromium; what it is given is the page alone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cards, payOnPage } from '../../testing/testing.ts';
import { KNOWN, openStage, stayWhenPaid, untilSaid, untilState } from './paying-page.ts';

const stage = openStage();

describe('payOnPage', () => {
  test('types who pays and the card, and presses', async (t) => {
    const { paymentId, url } = await stage.create();
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    await payOnPage(page, { fields: { 'consumer.privatePerson.firstName': 'Grace' } });
    await untilState(page, 'paid');
    const { consumer, summary } = await stage.shop.client.payment(paymentId);
    assert.equal(summary.reservedAmount, 100_000);
    assert.equal(consumer.privatePerson.firstName, 'Grace');
  });

  test('answers the bank, with yes and with no', async (t) => {
    const { url } = await stage.create(KNOWN);
    const page = await stage.open(t, url);
    await stayWhenPaid(page);
    await payOnPage(page, { card: cards.challenge, challenge: 'fail' });
    await untilSaid(page, '#form-error, #notice', /./);
    await payOnPage(page, { card: cards.challenge });
    await untilState(page, 'paid');
  });
});
