// Goal: a line of the log says why, to the last cause.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyOf } from './why.ts';

test('all causes, by their words, or by their code where they have none', () => {
  assert.equal(whyOf(new Error('alone')), 'alone');
  const refused = Object.assign(new AggregateError([new Error('one'), new Error('other')]), { code: 'ECONNREFUSED' });
  const away = new Error('no connection could be had', { cause: refused });
  const asked = new Error('nothing could be asked', { cause: away });
  assert.equal(whyOf(asked), 'nothing could be asked: no connection could be had: ECONNREFUSED');
  const circle = new Error('round');
  circle.cause = circle;
  assert.match(whyOf(circle), /^round(?:: round)+$/);
  assert.equal(whyOf(new Error('of a text', { cause: 'a text' })), 'of a text');
});
