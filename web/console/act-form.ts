// The form of a charge, refund or cancel while somebody fills it in: what will happen, what each item comes to and what is
// wrong, and a button that takes all of an item. What was sent the server reads by itself.
import { choose } from '../shared/act-choice.ts';
import type { Choosable, ChoiceTexts } from '../shared/act-choice.ts';
import { describeAct } from '../shared/act-words.ts';
import type { Act, Sentences } from '../shared/act-words.ts';
import { showMoneyIn } from '../shared/amount.ts';
import { parseQuantity, takeOf } from '../shared/item-share.ts';
import { locale } from './times.ts';

/** As the page hands it over. */
export type ActData = Act & Choosable & { readonly texts: Sentences & { readonly wrong: ChoiceTexts } };

export function startAct(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-act]');
  if (!form) return;
  const act = JSON.parse(form.dataset['act'] ?? '') as ActData;
  const { texts, lines, decimals, currency } = act;
  const show = (amount: number): string => showMoneyIn(locale, amount, decimals, currency);
  const say = (selector: string, text: string): void => {
    const place = form.querySelector(selector);
    if (place) place.textContent = text;
  };

  const look = (): void => {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const chosen = choose(fields, act, { texts: texts.wrong, locale, show });
    const mistake = 'message' in chosen ? chosen : undefined;
    const isTouched = {
      amount: fields['amount'] !== '',
      items: lines.some(({ field }) => fields[field] !== ''),
    };
    for (const name of ['amount', 'items'] as const)
      say(`#${name}-wrong`, mistake?.field === name && isTouched[name] ? mistake.message : '');
    const mark = (name: string, isWrong: boolean): void =>
      form.querySelector(`#${name}`)?.setAttribute('aria-invalid', String(isWrong));
    mark('amount', mistake?.field === 'amount' && isTouched.amount);
    for (const line of lines) {
      const quantity = parseQuantity(fields[line.field] ?? '') ?? 0;
      const isTaken = quantity > 0 && quantity <= line.left.quantity;
      say(`#${line.field} ~ .act-share`, isTaken ? show(takeOf(line, quantity).grossTotalAmount) : '–');
      mark(line.field, mistake?.line === line.field);
    }
    say('.sentence', 'message' in chosen ? '' : describeAct(act, chosen.amount, texts, show));
  };

  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-all]')) {
    const input = form.querySelector<HTMLInputElement>(`#${button.dataset['of']}`);
    const { all = '' } = button.dataset;
    button.hidden = false;
    button.addEventListener('click', () => {
      if (input) input.value = input.value === all ? '' : all;
      look();
    });
  }
  form.addEventListener('input', look);
  // What the server found wrong stays until something is typed.
  if (!form.querySelector('.error:not(:empty)')) look();
}
