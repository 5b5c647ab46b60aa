// A stream is parsed correctly however it is split into chunks; comments and retries change only the position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamReader } from './event-stream.ts';

const TEXT = [
  'retry: 1000\nid: a\n\n',
  ': still here\n\n',
  'id: b\nevent: payment.created\ndata: {"id":"b"}\n\n',
  'event:payment.cancel.created\r\nid:c\r\ndata:{"id":\r\ndata: "ø: c"}\r\n\r\n',
  'id: d\nevent: payment.created\ndata: cut off',
].join('');

const EXPECTED = [
  { id: 'b', name: 'payment.created', data: '{"id":"b"}' },
  { id: 'c', name: 'payment.cancel.created', data: '{"id":\n"ø: c"}' },
];

test('events are read whole, cut at any place', () => {
  for (let at = 0; at <= TEXT.length; at += 1) {
    const reader = new StreamReader();
    assert.deepEqual([...reader.read(TEXT.slice(0, at)), ...reader.read(TEXT.slice(at))], EXPECTED);
  }
  const reader = new StreamReader();
  assert.deepEqual(
    Array.from(TEXT).flatMap((letter) => reader.read(letter)),
    EXPECTED,
  );
});

test('the place is known before the first event, and what was cut off is forgotten', () => {
  const reader = new StreamReader();
  assert.deepEqual(reader.read('id: a\n\n'), []);
  assert.equal(reader.lastId, 'a');
  reader.read('id: b\nevent: payment.created\ndata: half');
  assert.equal(reader.lastId, 'a', 'what came half was not seen');
  reader.begin();
  assert.deepEqual(reader.read('id: c\nevent: payment.created\ndata: whole\n\n'), [
    { id: 'c', name: 'payment.created', data: 'whole' },
  ]);
});
