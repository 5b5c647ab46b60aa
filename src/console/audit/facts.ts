// The facts of an audit record in the reader's language. Unknown facts of other versions are shown as they were written.
import type { Fact } from '../../domain/audit.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { AuditRecord } from '../../store/audit/audit.ts';
import { showMoney } from '../page/money.ts';
import { renderTime } from '../page/time.ts';
import { stateTexts } from '../payment/state-badges.ts';
import { consoleTexts, fill, wordOf } from '../texts.ts';

type Facts = NonNullable<AuditRecord['after']>;

const TIMES: ReadonlySet<string> = new Set(['since', 'until', 'expires', 'time', 'from', 'to']);
const SELLER = /^seller\.(\w+)$/;

/** The merchant and the reader. */
type At = { readonly action: string; readonly language: Language };

/** The filters of an export. */
const isExport = ({ action }: At): boolean => action === 'payment.export';

function nameOf(name: string, at: At): string {
  const { language } = at;
  const { facts } = consoleTexts(language).audit;
  const { fields } = consoleTexts(language).list;
  if (isExport(at) && Object.hasOwn(fields, name)) return wordOf(fields, name);
  const [, field] = SELLER.exec(name) ?? [];
  const { seller, sellerFields } = consoleTexts(language).settings;
  if (field !== undefined) return fill(seller, { field: wordOf(sellerFields, field) });
  return Object.hasOwn(facts, name) ? facts[name as Fact] : name;
}

/** The words for values that are words of ours. */
function wordsFor(name: string, at: At): Readonly<Record<string, string>> {
  const { language } = at;
  const { values } = consoleTexts(language).audit;
  const { live, test } = consoleTexts(language).settings;
  const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...values,
    role: consoleTexts(language).team.roles,
    method: consoleTexts(language).account.methods,
    scopes: consoleTexts(language).keys.scopeNames,
    mode: { live, test },
    ...(isExport(at) && { state: stateTexts(language), method: {} }),
  };
  return Object.hasOwn(known, name) ? (known[name] ?? {}) : {};
}

function show(name: string, value: unknown, at: At): Html {
  const { language } = at;
  const { yes, no } = consoleTexts(language).audit;
  if (value === null || value === undefined) return html`–`;
  if (Array.isArray(value))
    return html`${value.map((each, index) => html`${index > 0 && ', '}${show(name, each, at)}`)}`;
  if (typeof value === 'boolean') return html`${value ? yes : no}`;
  if (typeof value !== 'string') return html`${JSON.stringify(value)}`;
  const atMs = TIMES.has(name) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? html`${wordOf(wordsFor(name, at), value)}` : renderTime(atMs, language);
}

/** An amount with its currency is one fact. */
function inMoney(facts: Facts | undefined, language: Language): Facts | undefined {
  const { amount, currency, ...others } = facts ?? {};
  return typeof amount === 'number' && typeof currency === 'string'
    ? { amount: showMoney(amount, currency, language), ...others }
    : facts;
}

export function renderChanges({ action, before, after }: AuditRecord, language: Language): Html | undefined {
  const at = { action, language };
  const [was, is] = [inMoney(before, language), inMoney(after, language)];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  if (names.length === 0) return undefined;
  const change = (name: string): Html => {
    const [earlier, later] = [show(name, was?.[name], at), show(name, is?.[name], at)];
    if (was === undefined || earlier.html === later.html) return later;
    if (is === undefined || !(name in is)) return earlier;
    return html`<del>${earlier}</del> <span aria-label="${consoleTexts(language).audit.became}">→</span>
      <ins>${later}</ins>`;
  };
  return html`<dl class="facts changes">
    ${names.map(
      (name) =>
        html`<dt>${nameOf(name, at)}</dt>
          <dd>${change(name)}</dd>`,
    )}
  </dl>`;
}
