// Pieces that several pages are made of: what is shown once, an act that is asked for twice, and how a form's act ends.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Right } from '../../domain/role.ts';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import type { ConsoleContext } from '../context.ts';
import { frameTexts } from '../languages/frame.ts';
import { pageFor } from '../page-reply.ts';
import { leadToProof } from '../proof.ts';
import { homeOf } from './frame.ts';
import type { Place } from './frame.ts';

/** What a page tells first: what came of an act, or why nothing did. */
export type Notice = { readonly tone: 'good' | 'bad' | 'wait'; readonly text: string; readonly once?: Once };
/** What is shown this one time. */
export type Once = { readonly label: string; readonly secret: string };

/** Copies a text; shown by the script where it can. */
export function renderCopy(text: string, language: Language, more = ''): Html {
  const { copy, copied } = frameTexts(language);
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

/** An act that is not undone: pressed twice, the second time on a button that says what it does. */
export const renderConfirm = (word: string, sentence: string, action: string, sure: string): Html =>
  html`<details class="confirm">
    <summary class="button quiet danger">${word}</summary>
    <form method="post" action="${action}">
      <p>${sentence}</p>
      <button class="danger">${sure}</button>
    </form>
  </details>`;

/** The fields of a form that was sent, as texts. */
export function fieldsOf({ body }: FastifyRequest): Readonly<Record<string, string>> {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(entries.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

type FormAct = (place: Place, request: FastifyRequest, reply: FastifyReply) => Promise<string | FastifyReply>;

/** What a form of a page asks for, that is done only by who has proved to be there. `page`: where it stands. */
export const provedActFor = (context: ConsoleContext, right: Right, page: string, act: FormAct) =>
  pageFor(
    context,
    right,
    async (place, request, reply) =>
      leadToProof(place.member, place.root, `${homeOf(place)}/${page}`, reply) ?? act(place, request, reply),
  );
