// The form of a charge, refund or cancel: all that is left, an amount, or items and quantities with the sum as one types.
// Before anything is sent, a dialog says what will happen.
import { h, render } from 'preact';
import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { describeAct, describeRest } from '../shared/act-words.ts';
import { fillIn } from '../shared/fill-in.ts';
import { parseQuantity, showQuantity, takeOf } from '../shared/item-share.ts';
import type { LineLeft } from '../shared/item-share.ts';
import { openActState, sendAct } from './act-state.ts';
import { locale } from './times.ts';
import type { ActData, ActState, Mode } from './act-state.ts';

const isLocked = ({ phase }: ActState): boolean => phase.value.kind === 'sending' || phase.value.kind === 'unknown';

function ModeChoice({ state, mode, label }: { state: ActState; mode: Mode; label: string }): ComponentChild {
  const choose = (): void => {
    state.mode.value = mode;
  };
  const checked = state.mode.value === mode;
  const disabled = isLocked(state);
  return h('label', null, h('input', { type: 'radio', name: 'mode', checked, disabled, onChange: choose }), label);
}

function AmountField({ state }: { state: ActState }): ComponentChild {
  const { data, amountText, chosen, phase } = state;
  const refusal = phase.value.kind === 'refused' && phase.value.field === 'amount';
  const wrong = 'wrong' in chosen.value && amountText.value !== '' ? chosen.value.wrong : undefined;
  return h(
    'div',
    { class: 'field' },
    h('label', { for: 'act-amount' }, fillIn(data.texts.amountIn, { currency: data.currency })),
    h('input', {
      id: 'act-amount',
      inputMode: 'decimal',
      autocomplete: 'off',
      value: amountText.value,
      disabled: isLocked(state),
      'aria-invalid': wrong !== undefined || refusal,
      'aria-describedby': 'act-wrong',
      onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        amountText.value = currentTarget.value;
      },
    }),
    h('p', { class: 'error', id: 'act-wrong' }, wrong ?? ''),
  );
}

function ItemRow({ state, line, index }: { state: ActState; line: LineLeft; index: number }): ComponentChild {
  const { quantities, chosen, data } = state;
  const { item, left } = line;
  const { reference, unit } = item;
  const text = quantities.value[index] ?? '';
  const set = (value: string): void => {
    quantities.value = quantities.value.map((each, place) => (place === index ? value : each));
  };
  const isWrong = 'line' in chosen.value && chosen.value.line === index;
  const whole = showQuantity(left.quantity);
  const taken = takenOf(state, index);
  const id = `act-item-${index}`;
  return h(
    'li',
    { class: 'act-item' },
    h(
      'label',
      { for: id },
      h('span', { class: 'item-name' }, item.name),
      h(
        'span',
        { class: 'hint' },
        fillIn(data.texts.leftOfItem, {
          reference,
          quantity: showQuantity(left.quantity, locale),
          unit,
          amount: state.show(left.gross),
        }),
      ),
    ),
    h('input', {
      id,
      inputMode: 'decimal',
      autocomplete: 'off',
      placeholder: '0',
      value: text,
      disabled: isLocked(state),
      'aria-invalid': isWrong,
      'aria-describedby': 'act-wrong',
      onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(currentTarget.value),
    }),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        disabled: isLocked(state),
        'aria-label': fillIn(data.texts.allOf, { item: item.name }),
        onClick: () => set(text === whole ? '' : whole),
      },
      data.texts.all,
    ),
    h('span', { class: 'amount act-share' }, taken === 0 ? '–' : state.show(taken)),
  );
}

/** What of a line is chosen, in money. */
function takenOf({ data, quantities }: ActState, index: number): number {
  const line = data.lines[index];
  const quantity = parseQuantity(quantities.value[index] ?? '') ?? 0;
  return line && quantity > 0 && quantity <= line.left.quantity ? takeOf(line, quantity).grossTotalAmount : 0;
}

function ItemFields({ state }: { state: ActState }): ComponentChild {
  const { data, chosen, quantities } = state;
  const isTouched = quantities.value.some((text) => text !== '');
  const wrong = 'wrong' in chosen.value && isTouched ? chosen.value.wrong : '';
  return h(
    'div',
    { class: 'field' },
    h(
      'ul',
      { class: 'act-items', 'aria-label': data.texts.items },
      data.lines.map((line, index) => h(ItemRow, { state, line, index })),
    ),
    h('p', { class: 'error', id: 'act-wrong' }, wrong),
  );
}

function Sure({ state, isOpen, close }: { state: ActState; isOpen: boolean; close: () => void }): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  const { chosen, data, phase } = state;
  const amount = 'wrong' in chosen.value ? 0 : chosen.value.amount;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const isSending = phase.value.kind === 'sending';
  const isUnknown = phase.value.kind === 'unknown';
  // It is open as long as it is asked for: the browser would close it at once and say so later, when somebody may have asked
  // again. What is under way cannot be taken back by a key.
  const onCancel = (event: Event): void => {
    event.preventDefault();
    if (!isSending && !isUnknown) close();
  };
  return h(
    'dialog',
    { ref: dialog, class: 'sure', 'aria-labelledby': 'act-sentence', onCancel },
    h('p', { id: 'act-sentence', class: 'sentence' }, describeAct(data, amount, data.texts, state.show)),
    h('p', { role: 'status', class: isUnknown ? 'notice wait' : 'hint' }, statusOf(state)),
    h(
      'div',
      { class: 'toolbar' },
      h(
        'button',
        { type: 'button', class: 'primary', 'aria-disabled': isSending, onClick: () => void sendAct(state) },
        isUnknown ? data.texts.askAgain : data.texts.verbs[data.kind],
      ),
      isUnknown
        ? h('a', { class: 'button quiet', href: data.back }, data.texts.look)
        : h('button', { type: 'button', class: 'quiet', disabled: isSending, onClick: close }, data.texts.back),
    ),
  );
}

function statusOf({ phase, data }: ActState): string {
  if (phase.value.kind === 'sending') return data.texts.moment;
  return phase.value.kind === 'unknown' ? phase.value.message : '';
}

function ActForm({ state }: { state: ActState }): ComponentChild {
  const { data, mode, chosen, phase, asked } = state;
  const { texts } = data;
  const ready = !('wrong' in chosen.value);
  const sum = 'wrong' in chosen.value ? undefined : chosen.value.amount;
  const refused = phase.value.kind === 'refused' ? phase.value.message : undefined;
  const isOpen = asked.value && refused === undefined;
  return h(
    'form',
    {
      class: 'panel act',
      onSubmit: (event: Event) => {
        event.preventDefault();
        if (!ready) return;
        if (refused !== undefined) phase.value = { kind: 'editing' };
        asked.value = true;
      },
    },
    refused !== undefined && h('p', { class: 'notice bad', role: 'alert' }, refused),
    h(
      'fieldset',
      { class: 'field' },
      h('legend', null, texts.howMuch),
      h(ModeChoice, { state, mode: 'whole', label: fillIn(texts.whole[data.kind], { amount: state.show(data.left) }) }),
      h(ModeChoice, { state, mode: 'amount', label: texts.anAmount }),
      data.lines.length > 0 && h(ModeChoice, { state, mode: 'items', label: texts.items }),
    ),
    mode.value === 'amount' && h(AmountField, { state }),
    mode.value === 'items' && h(ItemFields, { state }),
    h(
      'p',
      { class: 'sentence', 'aria-live': 'polite' },
      sum === undefined ? '' : describeRest(data, sum, texts, state.show),
    ),
    h(
      'div',
      { class: 'toolbar' },
      h(
        'button',
        { class: 'primary', 'aria-disabled': !ready },
        sum === undefined ? texts.verbs[data.kind] : fillIn(texts.withAmount[data.kind], { amount: state.show(sum) }),
      ),
      h('a', { class: 'button quiet', href: data.back }, texts.back),
    ),
    h(Sure, {
      state,
      isOpen,
      close: () => {
        if (phase.value.kind === 'editing') asked.value = false;
      },
    }),
  );
}

export function startAct(): void {
  const place = document.querySelector<HTMLElement>('[data-act]');
  const data = place && (JSON.parse(place.dataset['act'] ?? '') as ActData);
  if (!place || !data || data.left === 0) return;
  place.textContent = '';
  render(h(ActForm, { state: openActState(data) }), place);
}
