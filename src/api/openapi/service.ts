// The documentation of endpoints for operators and readers. They need no key.
import * as Type from '../../schema/type.ts';
import { answers } from '../operation.ts';
import type { Described } from '../operation.ts';

const METRICS = [
  '# HELP kassa_conflicts_total Changes that were decided again since the payment moved on.',
  '# TYPE kassa_conflicts_total counter',
  'kassa_conflicts_total 0',
  '',
].join('\n');

const Health = Type.Object({ status: Type.String({ enum: ['ok'] }) }, { title: 'Health' });

const Readiness = Type.Object(
  { status: Type.String({ enum: ['ready', 'not ready'] }), reason: Type.Optional(Type.String()) },
  { title: 'Readiness' },
);

export const SERVICE_OPERATIONS: readonly Described[] = [
  {
    operationId: 'getHealth',
    route: 'GET /healthz',
    tag: 'Service',
    summary: 'Liveness',
    description: 'The process lives. Says nothing about the database.',
    success: answers(200, 'It lives.', Health, { 'It lives': { status: 'ok' } }),
  },
  {
    operationId: 'getReadiness',
    route: 'GET /readyz',
    tag: 'Service',
    summary: 'Readiness',
    description: 'The service can take requests: for a load balancer.',
    success: answers(200, 'It can.', Readiness, { Ready: { status: 'ready' } }),
    refused: [
      {
        status: 503,
        summary: 'The database is away',
        value: { status: 'not ready', reason: 'the database is away' },
      },
    ],
  },
  {
    operationId: 'getMetrics',
    route: 'GET /metrics',
    tag: 'Service',
    summary: 'Metrics',
    description: 'The figures of the service in the text format of Prometheus.',
    success: {
      status: 200,
      description: 'The figures.',
      schema: Type.String(),
      mediaType: 'text/plain',
      examples: { 'A part of them': METRICS },
    },
  },
  {
    operationId: 'getOpenapi',
    route: 'GET /openapi.json',
    tag: 'Service',
    summary: 'This description',
    description: 'The description of the API in OpenAPI 3.1.',
    success: answers(200, 'The description.', Type.Object({}, { additionalProperties: true }), {
      'How it begins': { openapi: '3.1.0', info: { title: 'Kassa' } },
    }),
  },
  {
    operationId: 'getDocs',
    route: 'GET /docs',
    tag: 'Service',
    summary: 'The documentation',
    description: 'The first page of the documentation: it leads to guides, and to this description for people.',
    success: {
      status: 200,
      description: 'The page.',
      schema: Type.String(),
      mediaType: 'text/html',
      examples: { 'How it begins': '<!doctype html>' },
    },
  },
];
