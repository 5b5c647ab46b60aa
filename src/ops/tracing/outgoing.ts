// Calls of others as spans: each carries its traceparent, so that whoever is called can go on with the trace.
import { traceparentOf } from './context.ts';
import type { SpanContext } from './context.ts';
import type { Attributes } from './span-json.ts';
import type { Tracer } from './tracer.ts';

type OutgoingCall = {
  readonly name: string;
  readonly attributes: Attributes;
  /** What it is part of, null for nothing; by default what is under way here. */
  readonly parent?: SpanContext | null | undefined;
};

/** Makes a call with the headers that it is given. A call that throws, or has no status, was not answered. */
export type Outgoing = <Answer extends { readonly status?: number }>(
  call: OutgoingCall,
  make: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;

export const outgoingBy =
  (tracer: Tracer): Outgoing =>
  async ({ name, attributes, parent }, make) => {
    const span = tracer.begin({ kind: 'client', parent });
    let status: number | undefined;
    try {
      const answer = await make({ traceparent: traceparentOf(span.context) });
      ({ status } = answer);
      return answer;
    } finally {
      const fault = status === undefined ? 'no_answer' : status >= 400 ? String(status) : undefined;
      span.end({
        name,
        attributes: { ...attributes, 'http.response.status_code': status, 'error.type': fault },
        isError: fault !== undefined,
      });
    }
  };
