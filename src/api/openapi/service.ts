// The documentation of what serves those who run the service and those who read about it. No key is needed.
import * as Type from '../../schema/type.ts';
import type { OperationDoc } from './operation.ts';

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

export const SERVICE_OPERATIONS = {
  getHealth: {
    tag: 'Service',
    summary: 'Liveness',
    description: 'The process lives. Says nothing about the database.',
    success: {
      status: 200,
      description: 'It lives.',
      schema: Health,
      examples: [{ summary: 'It lives', value: { status: 'ok' } }],
    },
  },
  getReadiness: {
    tag: 'Service',
    summary: 'Readiness',
    description: 'The service can take requests: for a load balancer.',
    success: {
      status: 200,
      description: 'It can.',
      schema: Readiness,
      examples: [{ summary: 'Ready', value: { status: 'ready' } }],
    },
    refused: [
      {
        status: 503,
        summary: 'The database is away',
        value: { status: 'not ready', reason: 'the database is away' },
      },
    ],
  },
  getMetrics: {
    tag: 'Service',
    summary: 'Metrics',
    description: 'The figures of the service in the text format of Prometheus.',
    success: {
      status: 200,
      description: 'The figures.',
      schema: Type.String(),
      mediaType: 'text/plain',
      examples: [{ summary: 'A part of them', value: METRICS }],
    },
  },
  getOpenapi: {
    tag: 'Service',
    summary: 'This description',
    description: 'The description of the API in OpenAPI 3.1.',
    success: {
      status: 200,
      description: 'The description.',
      schema: Type.Object({}, { additionalProperties: true }),
      examples: [{ summary: 'How it begins', value: { openapi: '3.1.0', info: { title: 'Kassa' } } }],
    },
  },
  getDocs: {
    tag: 'Service',
    summary: 'The documentation',
    description: 'The first page of the documentation: it leads to guides, and to this description for people.',
    success: {
      status: 200,
      description: 'The page.',
      schema: Type.String(),
      mediaType: 'text/html',
      examples: [{ summary: 'How it begins', value: '<!doctype html>' }],
    },
  },
} as const satisfies Record<string, OperationDoc>;
