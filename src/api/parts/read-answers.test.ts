// Goal: a response is only reused for the same payment, and the cache stays small however much is read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Merchant } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { KEPT_MS, ReadAnswers } from './read-answers.ts';
import type { ReadAnswer } from './read-answers.ts';

const merchant = { id: 1, name: 'A shop', dialect: 'spec', parts: [7] } as unknown as Merchant;
const context = { publicUrl: 'https://kassa.example', merchant };
const stamp = '1 1000 00000001';
const aPayment = (id: string, changes: Partial<Payment> = {}): Payment => ({ id, ...changes }) as unknown as Payment;
const anAnswer = (body: string): ReadAnswer => ({ ...context, stamp, body });

function readTwice(answers: ReadAnswers, id: string, body = `{"payment":"${id}"}`): void {
  for (let reads = 0; reads < 2; reads += 1) answers.keep(aPayment(id), stamp, body, context);
}

describe('answers of reads', () => {
  test('the text is kept from the second read on', () => {
    const answers = new ReadAnswers();
    answers.keep(aPayment('a'), stamp, 'text', context);
    assert.equal(answers.find('a', context), undefined);
    answers.keep(aPayment('a'), stamp, 'text', context);
    assert.deepEqual(answers.find('a', context), anAnswer('text'));
    answers.keep(aPayment('a'), stamp, 'another', context);
    assert.equal(answers.find('a', context)?.body, 'another');
  });

  test('but not when so many others came between that nobody polls', () => {
    const answers = new ReadAnswers();
    for (let rounds = 0; rounds < 3; rounds += 1)
      for (let payments = 0; payments < 6_000; payments += 1)
        answers.keep(aPayment(`${payments}`), stamp, 'text', context);
    assert.ok(Array.from({ length: 6_000 }, (_, n) => answers.find(`${n}`, context)).every((found) => !found));
  });

  test('another address of the service, or anything else of its merchant, is another answer', () => {
    const answers = new ReadAnswers();
    readTwice(answers, 'a');
    assert.ok(answers.find('a', { ...context, merchant: { ...merchant } }), 'looked up anew, it is the same merchant');
    assert.equal(answers.find('a', { ...context, publicUrl: 'https://other.example' }), undefined);
    assert.equal(answers.find('a', { ...context, merchant: { ...merchant, dialect: 'nexi' } }), undefined);
    assert.equal(answers.find('a', { ...context, merchant: { ...merchant, id: 2 } }), undefined);
  });

  test('neither long ones are kept nor those of invoices', () => {
    const answers = new ReadAnswers();
    readTwice(answers, 'long', 'x'.repeat(40_000));
    assert.equal(answers.find('long', context), undefined);
    const method = { paymentType: 'INVOICE', paymentMethod: 'Invoice', invoice: {} } as unknown as NonNullable<
      Payment['method']
    >;
    for (let reads = 0; reads < 3; reads += 1) answers.keep(aPayment('invoice', { method }), stamp, 'text', context);
    assert.equal(answers.find('invoice', context), undefined);
  });

  test('what is read goes on being there, and what is not makes room, however often either is used', () => {
    const answers = new ReadAnswers(10_000);
    readTwice(answers, 'polled');
    readTwice(answers, 'once');
    for (let others = 0; others < 1_000; others += 1) {
      readTwice(answers, `other ${others}`);
      const found = answers.find('polled', context);
      assert.ok(found, `after ${others} others`);
      for (let times = 0; times < 3; times += 1) answers.touch('polled', found, context);
    }
    assert.equal(answers.find('once', context), undefined);
    assert.equal(answers.find('other 0', context), undefined);
    assert.ok(answers.find('other 980', context), 'frequent use takes no room from others');
  });

  test('a text with letters from afar counts twice', () => {
    const [near, north, far] = ['x', '\u00f8', '\u20ac'].map((letter) => {
      const answers = new ReadAnswers(100_000);
      for (let payments = 0; payments < 100; payments += 1) readTwice(answers, `${payments}`, letter.repeat(1_000));
      return Array.from({ length: 100 }, (_, n) => answers.find(`${n}`, context)).filter(Boolean).length;
    });
    assert.deepEqual([near, north, far], [79, 79, 44]);
  });

  test('a merchant that was looked up anew is compared once', () => {
    const answers = new ReadAnswers();
    readTwice(answers, 'a');
    const anew = { ...context, merchant: { ...merchant } };
    const found = answers.find('a', anew);
    assert.ok(found);
    answers.touch('a', found, anew);
    assert.equal(answers.find('a', anew)?.merchant, anew.merchant);
  });

  test('nobody is kept for long who is not read', (t) => {
    const answers = new ReadAnswers();
    const passed = t.mock.method(performance, 'now', () => 0);
    const at = (ms: number): void => passed.mock.mockImplementation(() => ms);
    readTwice(answers, 'polled');
    at(1_000);
    readTwice(answers, 'left');
    at(KEPT_MS);
    answers.touch('polled', answers.find('polled', context) as ReadAnswer, context);
    answers.forgetOld();
    assert.ok(answers.find('left', context));
    at(KEPT_MS + 1_001);
    answers.forgetOld();
    assert.equal(answers.find('left', context), undefined);
    assert.ok(answers.find('polled', context), 'what came first and was read since is there');
  });

  test('a payment that is gone, or not to be kept any more, is forgotten at once', () => {
    const answers = new ReadAnswers();
    for (const id of ['gone', 'long']) readTwice(answers, id);
    answers.forget('gone');
    answers.forget('never there');
    answers.keep(aPayment('long'), stamp, 'x'.repeat(40_000), context);
    for (const id of ['gone', 'long']) assert.equal(answers.find(id, context), undefined);
  });
});
