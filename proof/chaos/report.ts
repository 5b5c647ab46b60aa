// What a run has come to, for a person: a table, and the whole story of a payment about which something is wrong.
import { CARDS } from './reserving.ts';
import type { Finding, Life } from './journal.ts';
import type { Run } from './run.ts';

const MOST_STORIES = 3;
const MOST_FINDINGS = 40;

const indent = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n');

function alignRows(rows: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b));
}

const sum = (counts: readonly (readonly [string, number])[]): number =>
  counts.reduce((all, [, count]) => all + count, 0);

const nested = (counts: readonly (readonly [string, number])[]): (readonly [string, number])[] =>
  counts.map(([name, count]) => [`  ${name}`, count] as const);

export function tableOf({ seed, seconds, tookSeconds, journal, books }: Run): string {
  const { lives, findings } = journal;
  const operations = lives.flatMap((life) => life.operations);
  const reserved = lives.filter(({ reserving }) => reserving.knows === 'reserved').length;
  const granted: [string, number][] = [
    ...countBy(
      operations.filter(({ outcome }) => outcome === 'granted'),
      ({ kind }) => kind,
    ),
    ['reserve', reserved],
    ['charge at once', lives.filter(({ chargedAtOnce }) => chargedAtOnce !== undefined).length],
  ];
  const refused = countBy(
    operations.filter(({ outcome }) => outcome === 'refused' || outcome === 'declined'),
    ({ kind, outcome }) => `${kind} ${outcome}`,
  );
  const troubles = [...journal.troubles].toSorted(([a], [b]) => a.localeCompare(b));
  const countOf = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length;
  return alignRows([
    ['seed', seed],
    ['seconds', `${seconds}, and ${(tookSeconds - seconds).toFixed(0)} to start, rest and judge`],
    ['faults injected', sum(troubles)],
    ...nested(troubles),
    ['requests', journal.requests],
    ['retries', journal.retries],
    ['acknowledged', sum(granted)],
    ...nested(granted),
    ['bulks done', journal.bulks.filter(({ isDone }) => isDone).length],
    ['entries of bulks', books?.entries.length ?? 0],
    ['refused', sum(refused)],
    ...nested(refused),
    ['unknown, then resolved', journal.unknown.size],
    ['looks of onlookers', journal.looks],
    ['payments they were shown', journal.shown.payments.size],
    ['events by cursor', journal.shown.byCursor.length],
    ['events by stream', journal.shown.byStream.length],
    ['movements here', books?.movements.length ?? 0],
    ["lines in the bank's book", books?.bank.length ?? 0],
    ['told by the webhook', books?.byWebhook.size ?? 0],
    ["told by payments' hooks", books?.byHooks.size ?? 0],
    ['lost', countOf('lost')],
    ['doubled', countOf('doubled')],
    ['differences', countOf('difference')],
    ['refused with an effect', countOf('refused with an effect')],
    ['wrong answers', countOf('wrong answer')],
    ['not told', countOf('not told')],
    ['undone', countOf('undone')],
    ['missed', countOf('missed')],
    ['unfinished', countOf('unfinished')],
    ['defects', countOf('defect')],
  ]);
}

const cardName = (card: string): string =>
  Object.entries(CARDS).find(([, number]) => number === card)?.[0] ?? 'unknown';

/** All that is known of one payment. */
function storyOf({ journal, books }: Run, life: Life): string {
  const { n, paymentId, amount, card } = life;
  const rows = books?.movements.filter((row) => row.paymentId === paymentId) ?? [];
  const ids = new Set(rows.map(({ id }) => id));
  const lines = books?.bank.filter(({ id }) => ids.has(id)) ?? [];
  return [
    `Payment ${paymentId ?? '(never created)'} (#${n}), ${amount}, card: ${cardName(card)}`,
    '  what happened:',
    indent(journal.story(n)),
    '  our movements:',
    indent(rows.map(({ id, kind, state, amount: moved, reason }) => `${id} ${kind} ${moved} ${state} ${reason ?? ''}`)),
    "  the bank's lines under these ids:",
    indent(lines.map((line) => JSON.stringify(line))),
  ].join('\n');
}

/** The findings, and the stories of the first payments that they are about. */
export function describeFindings(run: Run): string {
  const { findings, lives } = run.journal;
  const shown = findings.slice(0, MOST_FINDINGS).map(({ kind, life, text }) => {
    const whose = life === undefined ? '' : ` (#${life} ${lives[life - 1]?.paymentId ?? ''})`;
    return `  ${kind}${whose}: ${text}`;
  });
  const more = findings.length > MOST_FINDINGS ? [`  … and ${findings.length - MOST_FINDINGS} more`] : [];
  const guilty = [...new Set(findings.flatMap(({ life }) => (life === undefined ? [] : [life])))];
  const stories = guilty.slice(0, MOST_STORIES).map((n) => storyOf(run, lives[n - 1] as Life));
  return [...shown, ...more, '', ...stories].join('\n');
}

/** Everything, for a file. */
export function wholeLog(run: Run): string {
  const { journal, books, logs } = run;
  const rows = (name: string, all: readonly unknown[] = []): string[] => [
    `=== ${name}`,
    ...all.map((row) => JSON.stringify(row)),
  ];
  return [
    `=== seed ${run.seed}, ${run.seconds} seconds`,
    tableOf(run),
    '=== findings',
    ...journal.findings.map((finding) => JSON.stringify(finding)),
    '=== log',
    ...journal.all(),
    ...rows('payments', books?.payments),
    ...rows('movements', books?.movements),
    ...rows('keys', books?.keys),
    ...rows('bulks', books?.bulks),
    ...rows('entries of bulks', books?.entries),
    ...rows("the bank's book", books?.bank),
    ...logs.flatMap(([name, log]) => [`=== ${name} wrote`, log]),
  ].join('\n');
}
