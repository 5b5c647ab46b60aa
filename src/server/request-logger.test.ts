// The loggers of requests: the line of each request, and what is said with the request's id.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { lightenLoggers, requestLines } from './request-logger.ts';

type Entry = Record<string, unknown>;

async function linesOf(
  level: string,
  say: (log: FastifyBaseLogger) => void,
  merchant: object | null,
): Promise<Entry[]> {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const loggerInstance: FastifyBaseLogger = pino({ level, base: { process: 3 }, timestamp }, stream);
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({ loggerInstance, logController, genReqId: () => 'the "id"' });
  lightenLoggers(app);
  const write = requestLines(app);
  app.addHook('onResponse', async (request, reply) => {
    Object.assign(request, { merchant });
    write(request, reply);
  });
  app.get('/things/:id', async (request) => say(request.log));
  await app.inject('/things/1');
  await app.close();
  assert.ok(lines.every((line) => line.endsWith('}\n')));
  return lines.map((line) => JSON.parse(line) as Entry);
}

test('a request leaves one line, in the order of the fields of all others', async () => {
  const [line, ...more] = await linesOf('info', () => {}, { id: 7 });
  assert.deepEqual(more, []);
  assert.deepEqual(Object.keys(line ?? {}).join(), 'level,time,process,reqId,method,route,status,ms,merchant,msg');
  const { time, ms, ...rest } = line ?? {};
  assert.ok(Number.isFinite(Date.parse(time as string)) && Number(ms) >= 0);
  const expected = { level: 30, process: 3, reqId: 'the "id"', method: 'GET', route: '/things/:id', status: 200 };
  assert.deepEqual(rest, { ...expected, merchant: 7, msg: 'request' });
});

test('a probe leaves its line for who debugs alone', async () => {
  assert.deepEqual(await linesOf('info', () => {}, null), []);
  const [line] = await linesOf('debug', () => {}, null);
  assert.deepEqual([line?.['level'], 'merchant' in (line ?? {})], [20, false]);
});

test('what is said of a request has its id, also by a child of its logger', async () => {
  const say = (log: FastifyBaseLogger): void => {
    log.warn({ more: 1 }, 'odd');
    log.child({ step: 1 }).child({ step: 2 }).info('done');
    log.debug('not logged');
  };
  const lines = await linesOf('info', say, null);
  const logged = lines.map(({ level, process, reqId, more, step, msg }) => [level, process, reqId, more, step, msg]);
  assert.deepEqual(logged, [
    [40, 3, 'the "id"', 1, undefined, 'odd'],
    [30, 3, 'the "id"', undefined, 2, 'done'],
  ]);
});
