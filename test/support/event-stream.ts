// A client of GET /v1/events/stream: reads server-sent events as they come, and keeps them.
import { Agent, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Client } from './client.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are looked into field by field
type Json = any;

export type Told = { readonly id: string; readonly name: string; readonly body: Json };

export type EventStream = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly told: readonly Told[];
  /** All that came, as it came. */
  text(): string;
  /** Waits until so many came, and gives them. */
  until(count: number): Promise<readonly Told[]>;
  /** Resolves when the other side has ended it; says whether it was ended and not cut. */
  ended(): Promise<boolean>;
  /** Hangs up. */
  close(): void;
};

const TIMEOUT_MS = 120_000;

const fieldIn = (block: string, name: string): string =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? '';

function parse(text: string): Told[] {
  // What stands behind the last empty line is not whole yet.
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks
    .filter((block) => block.startsWith('id: '))
    .map((block) => ({
      id: fieldIn(block, 'id'),
      name: fieldIn(block, 'event'),
      body: JSON.parse(fieldIn(block, 'data')),
    }));
}

/** Opens a stream; resolves when the headers of the answer are there. */
export async function openStream(
  client: Client,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const request: ClientRequest = requestHttp(`${client.url}/v1/events/stream${query}`, {
    agent: new Agent({ keepAlive: false }),
    headers: { ...(client.secretKey !== undefined && { authorization: client.secretKey }), ...headers },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const waiting = new Set<() => void>();
  let text = '';
  let told: Told[] = [];
  let end: boolean | undefined;
  const wake = (): void => {
    for (const check of waiting) check();
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    told = parse(text);
    wake();
  });
  response.on('error', () => {});
  request.on('error', () => {});
  response.on('close', () => {
    end = response.complete;
    wake();
  });
  const until = (what: string, isSo: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!isSo()) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`waited for ${what}, got ${told.map(({ name }) => name).join(', ')}`));
      }, TIMEOUT_MS);
      waiting.add(check);
      check();
    });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get told() {
      return told;
    },
    text: () => text,
    until: async (count) => {
      await until(`${count} events`, () => told.length >= count);
      return told;
    },
    ended: async () => {
      await until('the end', () => end !== undefined);
      return end === true;
    },
    close: () => request.destroy(),
  };
}
