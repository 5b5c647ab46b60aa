// The output of `kassa listen`: a banner, then one line per event in columns. It fits in 100 columns, beside an editor;
// --json prints whole bodies.
import type { Sent } from '../../events/sender.ts';
import { shorten } from '../terminal/shorten.ts';
import { alignRows } from '../../ops/print.ts';
import { EVENT_NAMES } from '../api/event-scenarios.ts';
import { paymentOf } from '../api/event-stream.ts';
import type { StreamedEvent } from '../api/event-stream.ts';

export type Listening = {
  readonly from: string;
  /** Whether --url was given, so that other commands need it as well. */
  readonly isNamed: boolean;
  readonly events: string;
  /** Where events are sent, and the secret that signs them. */
  readonly to?: { readonly url: string; readonly secret: string };
};

const TIME_WIDTH = '00:00:00'.length;
const NAME_WIDTH = Math.max(...EVENT_NAMES.map((name) => name.length));
const ID_WIDTH = 32;

const WIDTH = 100;
const BELOW = ' '.repeat(TIME_WIDTH + 2);
const LABEL_WIDTH = 'Events  '.length;

const lineOf = (time: string, name: string, payment: string, answer: string): string =>
  [time.padEnd(TIME_WIDTH), name.padEnd(NAME_WIDTH), payment.padEnd(ID_WIDTH), answer].join('  ').trimEnd();

export function bannerOf({ from, isNamed, events, to }: Listening): string {
  const rows = [['From', from], ...(to ? [['To', to.url]] : []), ['Events', shorten(events, WIDTH - LABEL_WIDTH - 1)]];
  return [
    '',
    'Listening for events. Ctrl-C stops it.',
    '',
    alignRows(to ? [...rows, ['Secret', to.secret]] : rows),
    '',
    ...(to ? ['Verify signatures with this secret; it stays the same for this key.'] : []),
    'Trigger an event, in another shell:',
    '',
    `  npx kassa trigger payment.charge.created${isNamed ? ` --url ${from}` : ''}`,
    '',
    lineOf('TIME', 'NAME', 'PAYMENT', to ? 'RESPONSE' : ''),
  ].join('\n');
}

export const isTaken = ({ status, error }: Sent): boolean =>
  error === undefined && status !== undefined && status >= 200 && status < 300;

/** An event, with the response where it was forwarded; an error message goes on a second line. */
export function showEvent(event: StreamedEvent, sent?: Sent): string {
  const answer = sent ? `${sent.status ?? 'failed'}  ${sent.ms} ms` : '';
  const line = lineOf(new Date().toISOString().slice(11, 19), event.name, paymentOf(event) ?? '-', answer);
  if (!sent || isTaken(sent)) return line;
  const said = shorten([sent.error, sent.answer].filter(Boolean).join(': '), WIDTH - BELOW.length - 1);
  return said === '' ? line : `${line}\n${BELOW}${said}`;
}
