// What a form of money holds while somebody fills it in: how much is chosen, and how far the request is. The key goes along
// until there is a definite answer, so that whatever is sent again is done once.
import { computed, signal } from '@preact/signals';
import { parseAmount, showMoneyIn } from '../shared/amount.ts';
import type { Act, ActTexts } from '../shared/act-words.ts';
import { fillIn } from '../shared/fill-in.ts';
import { parseQuantity, showQuantity, takeOf } from '../shared/item-share.ts';
import type { Item, LineLeft } from '../shared/item-share.ts';
import { locale } from './times.ts';

export type ActData = Act & {
  /** Where the act is sent, and where what came of it is seen. */
  readonly api: string;
  readonly back: string;
  /** Where one shows that it is still oneself. */
  readonly prove: string;
  readonly key: string;
  readonly lines: readonly LineLeft[];
  readonly texts: ActTexts;
};

export type Mode = 'whole' | 'amount' | 'items';

type Chosen = { readonly amount: number; readonly orderItems?: readonly Item[] };
type Wrong = { readonly wrong: string; readonly line?: number };

export type Phase =
  | { readonly kind: 'editing' }
  | { readonly kind: 'sending' }
  /** No answer, or none that says what was done: the same is asked for again. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string; readonly field?: string };

const EDITING: Phase = { kind: 'editing' };

/** What was typed, while one shows elsewhere that it is still oneself. */
type Typed = { readonly mode: Mode; readonly amountText: string; readonly quantities: readonly string[] };

const nameOf = (key: string): string => `act ${key}`;

function takeKept(key: string): Typed | undefined {
  const text = sessionStorage.getItem(nameOf(key));
  sessionStorage.removeItem(nameOf(key));
  return text === null ? undefined : (JSON.parse(text) as Typed);
}

/** Leads to a proof or to the sign-in, and from there back to this form, as it is and with its key. */
function leadBy(to: string, { key, mode, amountText, quantities }: ActState): void {
  const typed: Typed = { mode: mode.value, amountText: amountText.value, quantities: quantities.value };
  sessionStorage.setItem(nameOf(key), JSON.stringify(typed));
  const here = new URL(location.href);
  here.searchParams.delete('sure');
  here.searchParams.set('key', key);
  location.assign(`${to}?next=${encodeURIComponent(here.pathname + here.search)}`);
}

export function openActState(data: ActData) {
  const kept = takeKept(data.key);
  const mode = signal<Mode>(kept?.mode ?? 'whole');
  const amountText = signal(kept?.amountText ?? '');
  const quantities = signal<readonly string[]>(data.lines.map((_line, index) => kept?.quantities[index] ?? ''));
  const phase = signal<Phase>(EDITING);
  /** Whether the dialog is open that says what will happen. */
  const asked = signal(false);
  const { left, decimals, currency } = data;

  const { wrong } = data.texts;

  const show = (amount: number): string => showMoneyIn(locale, amount, decimals, currency);

  function chooseAmount(): Chosen | Wrong {
    const amount = parseAmount(amountText.value, decimals);
    if (amount === undefined || amount === 0) return { wrong: fillIn(wrong.amount, { currency }) };
    return amount > left ? { wrong: fillIn(wrong.tooMuch, { amount: show(left) }) } : { amount };
  }

  function chooseItems(): Chosen | Wrong {
    const orderItems: Item[] = [];
    for (const [line, each] of data.lines.entries()) {
      const quantity = parseQuantity(quantities.value[line] ?? '');
      if (quantity === undefined) return { wrong: fillIn(wrong.quantity, { item: each.item.name }), line };
      if (quantity > each.left.quantity)
        return {
          wrong: fillIn(wrong.tooMany, { item: each.item.name, quantity: showQuantity(each.left.quantity, locale) }),
          line,
        };
      if (quantity > 0) orderItems.push(takeOf(each, quantity));
    }
    const amount = orderItems.reduce((sum, { grossTotalAmount }) => sum + grossTotalAmount, 0);
    if (orderItems.length === 0) return { wrong: wrong.noItem };
    if (amount < 1) return { wrong: wrong.nothing };
    return amount > left
      ? { wrong: fillIn(wrong.sum, { amount: show(amount), left: show(left) }) }
      : { amount, orderItems };
  }

  const chosen = computed<Chosen | Wrong>(() => {
    if (mode.value === 'whole') return { amount: left };
    return mode.value === 'amount' ? chooseAmount() : chooseItems();
  });

  return { data, mode, amountText, quantities, phase, asked, chosen, show, key: data.key };
}

export type ActState = ReturnType<typeof openActState>;

/** As the server makes them: after a refusal, what is asked for next is something else. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

// Short waits for a connection that broke; after the last one the person decides.
const REFUSED = 422;
const PAUSES_MS = [500, 1_500, 4_000];

type Answer = {
  readonly movementId?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(
  { data }: ActState,
  key: string,
  body: string,
): Promise<{ status: number; answer: Answer } | undefined> {
  for (const [tries, ms] of [0, ...PAUSES_MS].entries()) {
    if (tries > 0) await pause(ms);
    try {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const response = await fetch(data.api, { method: 'POST', headers, body });
      return { status: response.status, answer: (await response.json()) as Answer };
    } catch {
      // It may have arrived all the same.
    }
  }
  return undefined;
}

const messageOf = ({ message, errors = {} }: Answer, { notDone }: ActTexts): string =>
  message ?? (Object.values(errors).flat().join(' ') || notDone);

/** Sends what is chosen, until it is known what came of it. */
export async function sendAct(state: ActState): Promise<void> {
  const { phase, chosen, data } = state;
  const what = chosen.value;
  if ('wrong' in what || phase.value.kind === 'sending') return;
  phase.value = { kind: 'sending' };
  const answered = await ask(state, state.key, JSON.stringify(what));
  if (answered === undefined) {
    phase.value = { kind: 'unknown', message: data.texts.lost };
    return;
  }
  const { status, answer } = answered;
  if (status < 300) {
    location.assign(answer.movementId === undefined ? data.back : `${data.back}?did=${answer.movementId}`);
    return;
  }
  if (answer.reason === 'proof_needed') return leadBy(data.prove, state);
  if (status === 401) return leadBy(`${document.body.dataset['root'] ?? ''}/console/sign-in`, state);
  const message = messageOf(answer, data.texts);
  if (status >= 500) {
    phase.value = { kind: 'unknown', message };
    return;
  }
  // Only a refusal is a definite no, after which the next request is another one. Whoever is told to sign in may have been
  // heard before: the same key then tells what came of it.
  if (status === REFUSED) state.key = newKey();
  state.asked.value = false;
  phase.value = { kind: 'refused', message, ...(answer.field !== undefined && { field: answer.field }) };
}
