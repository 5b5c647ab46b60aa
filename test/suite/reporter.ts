// What node:test tells of the tests of a worker, brought to current-file.ts. A file is the outermost test of its own.
import type { TestEvent } from 'node:test/reporters';
import { endFile, noteFailure, notePassed, noteUnderWay } from './current-file.ts';

type Details = { readonly type?: string; readonly error?: unknown; readonly duration_ms?: number };

function take({ type, data }: TestEvent): void {
  const { name, nesting, line, details, skip } = data as {
    name: string;
    nesting: number;
    line?: number;
    details?: Details;
    skip?: unknown;
  };
  if (type === 'test:dequeue' && nesting > 0) noteUnderWay(`${line} ${name}`, true);
  if (type === 'test:complete' && nesting > 0) noteUnderWay(`${line} ${name}`, false);
  if (type !== 'test:pass' && type !== 'test:fail') return;
  if (type === 'test:pass' && nesting > 0 && details?.type !== 'suite')
    notePassed(name, { ms: details?.duration_ms ?? 0, isSkipped: skip !== undefined && skip !== false });
  // A test of which a part failed says nothing that the part does not.
  const { error } = details ?? {};
  if (type === 'test:fail' && (error as { failureType?: string }).failureType !== 'subtestsFailed')
    noteFailure(nesting === 0 ? 'the file itself' : name, line, error);
  if (nesting === 0) endFile();
}

// oxlint-disable-next-line import/no-default-export -- node:test finds a reporter by it
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) take(event);
  yield '';
}
