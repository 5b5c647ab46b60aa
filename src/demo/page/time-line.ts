// The story of an order, newest first: the calls that the shop made with their answers, and between them the events that
// Kassa tells a shop of.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { codeBlock, exampleBlock } from '../../docs/reference/code.ts';
import { describeFailure, isSuccess } from '../api.ts';
import { showMoney } from '../catalogue.ts';
import type { Call, DemoEvent } from '../journal.ts';
import { docsUrl } from './frame.ts';
import type { Place } from './frame.ts';

const CLOCK_START = 'YYYY-MM-DDT'.length;
const CLOCK_END = CLOCK_START + 'HH:MM:SS'.length;

/** In UTC, like every time of the API; the script shows it as the visitor's own. */
const clock = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(CLOCK_START, CLOCK_END)}</time>`;
};

/** A path with its long ids shortened, for one line; the whole one stands below. */
const shorten = (path: string): string => path.replaceAll(/[0-9a-f]{32}/g, (id) => `${id.slice(0, 4)}…${id.slice(-4)}`);

function requestBlock({ method, path, headers, body }: Call): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`${codeBlock('Request', `${method} ${path}\n${lines.join('\n')}`)}${
    body !== undefined && exampleBlock('Its body', body)
  }`;
}

function answerBlock({ status, answer }: Call): Html {
  if (status === undefined) return html`<p>There was no answer.</p>`;
  if (answer === undefined) return html`<p>Answered ${status}, without a body.</p>`;
  return exampleBlock(`Answer, ${status}`, answer);
}

function callRow(place: Place, call: Call, isNewest: boolean): Html {
  const { at, method, path, status, ms, operationId } = call;
  const failure = isSuccess(call) ? undefined : describeFailure(call);
  return html`<li class="call${isNewest && ' newest'}">
    <details${isNewest && html` open`}>
      <summary>
        ${clock(at)} <span class="method ${method.toLowerCase()}">${method}</span>
        <code class="path">${shorten(path)}</code>
        <span class="status s${String(status ?? 0).slice(0, 1)}">${status ?? 'none'}</span>
        <span class="ms">${ms} ms</span>${failure !== undefined && html` <span class="failure">${failure}</span>`}
      </summary>
      <div class="exchange">
        ${requestBlock(call)} ${answerBlock(call)}
        <p><a href="${docsUrl(place, operationId)}">This operation in the API reference</a></p>
      </div>
    </details>
  </li>`;
}

// What a newcomer would wonder about.
const REMARKS: ReadonlyMap<string, string> = new Map([
  ['payment.created', 'Told when the consumer first presses Pay, not when the shop makes the payment.'],
]);

const eventRow = ({ at, name, amount, reason }: DemoEvent, currency: string): Html =>
  html`<li class="event">
    <p>
      ${clock(at)} <span class="method event">EVENT</span> <code>${name}</code>
      ${amount !== undefined && html`<span class="ms">${showMoney(amount, currency)}</span>`}
      ${REMARKS.has(name) && html`<span class="remark">${REMARKS.get(name)}</span>`}
      ${reason !== undefined && html`<span class="failure">${reason}</span>`}
    </p>
  </li>`;

export type Story = {
  readonly calls: readonly Call[];
  readonly events: readonly DemoEvent[];
  /** Whether the shop made calls that it does not know any more. */
  readonly isForgotten: boolean;
};

export function timeLine(place: Place, { calls, events, isForgotten }: Story, currency: string): Html {
  const newest = calls.at(-1);
  const rows = [
    ...calls.map((call) => ({ at: call.at, row: callRow(place, call, call === newest) })),
    ...events.map((event) => ({ at: event.at, row: eventRow(event, currency) })),
  ]
    // What comes later in the list came later in time when the clock does not tell them apart.
    .map((entry, index) => ({ ...entry, index }))
    .toSorted((a, b) => b.at - a.at || b.index - a.index);
  const forgotten = html`<p class="hint">
    The shop keeps its calls in memory and has been restarted since, so what it did before is not listed. The payment
    itself is Kassa's to keep, and is all there.
  </p>`;
  return html`<section class="time-line" aria-labelledby="story-title">
    <h2 id="story-title">What happened</h2>
    <p class="hint">
      The shop's calls to the API, and the payment's events, the newest first. Your shop gets the same events by
      webhook, or from <code>GET /v1/events</code>.
    </p>
    ${isForgotten && forgotten}
    <ol>
      ${rows.map(({ row }) => row)}
    </ol>
  </section>`;
}
