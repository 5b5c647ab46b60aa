// Shared components: one-time secrets, buttons with confirmation, and result messages.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Right } from '../../domain/role.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor } from '../page-reply.ts';
import { proveAndSend } from '../kept-form.ts';
import { consoleTexts } from '../texts.ts';
import { homeOf } from './frame.ts';
import type { Place } from './frame.ts';

/** The flash message at the top of a page: the result of an action, or an error. */
export type Notice = { readonly tone: 'good' | 'bad' | 'wait'; readonly text: string; readonly once?: Once };
/** A secret that is shown once. */
export type Once = { readonly label: string; readonly secret: string };

/** Copies a text; shown by the script where it can. */
export function renderCopy(text: string, language: Language, more = ''): Html {
  const { copy, copied } = consoleTexts(language).frame;
  return html`<button class="${more}copy" type="button" data-copy="${text}" data-copied="${copied}" hidden>
    ${copy}
  </button>`;
}

export function renderNotice(notice: Notice | undefined, language: Language): Html | undefined {
  if (notice === undefined) return undefined;
  const { tone, text, once } = notice;
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      once &&
      html`<div class="once">
        <code aria-label="${once.label}">${once.secret}</code>
        ${renderCopy(once.secret, language)}
      </div>`
    }
  </div>`;
}

type Question = {
  /** On the button that asks, and what a reader of the screen hears instead. */
  readonly word: string;
  readonly label?: string;
  readonly sentence: string;
  readonly action: string;
  readonly sure: string;
  /** What is sent along. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly tone?: string;
};

/** A button for an irreversible action, with a second step to confirm. */
export const renderConfirm = ({
  word,
  label,
  sentence,
  action,
  sure,
  fields = {},
  tone = 'quiet danger',
}: Question): Html =>
  html`<details class="confirm">
    <summary class="button ${tone}" ${label !== undefined && html`aria-label="${label}"`}>${word}</summary>
    <form method="post" action="${action}">
      ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p>${sentence}</p>
      <button class="danger">${sure}</button>
    </form>
  </details>`;

type FormAct = (place: Place, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>;

export type Proved = {
  /** Where the form stands: a page of the merchant. */
  readonly page: string;
  /** Actions of test merchants need no confirmation of identity. */
  readonly onlyLive?: boolean;
};

/** What a form asks for, that is done only by who has proved to be there; others do so first, and it is done then. */
export const provedActFor = (context: ConsoleContext, right: Right, { page, onlyLive = false }: Proved, act: FormAct) =>
  pageFor(context, right, async (place, request, reply) => {
    const { member } = place;
    if (onlyLive && !member.merchant.live) return act(place, request, reply);
    if (await proveAndSend(context, member, request, reply, `${homeOf(place)}/${page}`)) return reply;
    return act(place, request, reply);
  });
