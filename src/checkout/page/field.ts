// A form field with consistent markup, so that the script finds its error and screen readers announce label, hint and
// error. Its name is its path in the body of the pay request.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly value?: string | undefined;
  /** The hint of an optional field, after the label. */
  readonly optional?: string;
  readonly hint?: string;
  /** Only for screen readers. */
  readonly isHintUnseen?: boolean;
  readonly placeholder?: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly inputmode?: 'numeric' | 'tel' | 'email';
  readonly longest?: number;
  /** More classes, for its width. */
  readonly kind?: string;
  /** What stands at the end of the label's line. */
  readonly aside?: Html;
  /** Turns off spell checking, for names. */
  readonly noSpellcheck?: boolean;
};

const idOf = (name: string): string => name.replaceAll('.', '-');

const errorOf = (id: string): Html => html`<p class="field-error" id="${id}-error" hidden></p>`;

const labelOf = (id: string, label: string, optional?: string): Html =>
  html`<label for="${id}">${label}${optional !== undefined && html` <span class="quiet">(${optional})</span>`}</label>`;

export function textField(field: Field): Html {
  const { name, hint, type = 'text', inputmode, longest, placeholder, value } = field;
  const id = idOf(name);
  const attributes = [
    html` autocomplete="${field.autocomplete}"`,
    inputmode !== undefined && html` inputmode="${inputmode}"`,
    longest !== undefined && html` maxlength="${longest}"`,
    placeholder !== undefined && html` placeholder="${placeholder}"`,
    value !== undefined && value !== '' && html` value="${value}"`,
    field.optional === undefined && html` required`,
    (field.noSpellcheck ?? false) && html` spellcheck="false" autocapitalize="off" autocorrect="off"`,
  ];
  const described = hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`;
  const input = html`<input id="${id}" name="${name}" type="${type}" aria-describedby="${described}" ${attributes} />`;
  const box = field.aside === undefined ? input : html`${field.aside}${input}`;
  const note =
    hint !== undefined &&
    html`<p class="${field.isHintUnseen === true ? 'visually-hidden' : 'hint'}" id="${id}-hint">${hint}</p>`;
  return html`<div class="field ${field.kind ?? ''}" data-field="${name}">
    ${labelOf(id, field.label, field.optional)}${box}${note}${errorOf(id)}
  </div>`;
}

export type Choice = { readonly value: string; readonly label: string };

export function selectField(
  field: Pick<Field, 'name' | 'label' | 'autocomplete' | 'value'> & { readonly empty: string },
  choices: readonly Choice[],
): Html {
  const { name, label, autocomplete, value } = field;
  const id = idOf(name);
  const known = choices.some((choice) => choice.value === value);
  const options = choices.map(
    (choice) =>
      html`<option value="${choice.value}" ${choice.value === value && html`selected`}>${choice.label}</option>`,
  );
  return html`<div class="field" data-field="${name}">
    ${labelOf(id, label)}
    <span class="choice">
      <select id="${id}" name="${name}" autocomplete="${autocomplete}" aria-describedby="${id}-error" required>
        ${!known && html`<option value="" selected>${field.empty}</option>`}${options}
      </select>
    </span>
    ${errorOf(id)}
  </div>`;
}

/** A fixed value: shown as text and submitted. */
export function fixedField(name: string, label: string, value: string, shown: string): Html {
  return html`<div class="field fixed" data-field="${name}">
    <span class="label">${label}</span><span>${shown}</span>
    <input type="hidden" id="${idOf(name)}" name="${name}" value="${value}" />
  </div>`;
}
