// For operators: GET /healthz (the process is alive), GET /readyz (it can serve), GET /metrics.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../ops/metrics.ts';
import { answerWith } from './answer.ts';
import { sendAnswer } from './errors.ts';
import type { PageLimit } from './page-limit.ts';

export type Readiness = {
  /** Undefined if the service can take requests; otherwise the reason it cannot. */
  reasonNotReady(): Promise<string | undefined>;
};

export function routeHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/healthz', async (_request, reply) => sendAnswer(reply, answerWith(200, { status: 'ok' })));

  app.get('/readyz', async (_request, reply) => {
    const reason = await readiness.reasonNotReady();
    if (reason === undefined) return sendAnswer(reply, answerWith(200, { status: 'ready' }));
    return sendAnswer(reply, answerWith(503, { status: 'not ready', reason }));
  });
}

export function routeMetrics(app: FastifyInstance, metrics: Metrics, limit: PageLimit): void {
  app.get('/metrics', limit, async (_request, reply) => {
    return reply.header('content-type', metrics.contentType).send(await metrics.read());
  });
}
