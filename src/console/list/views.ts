// Lists that a person has given a name: tabs above the list, and forms that make and remove them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { removeView, saveView } from '../../store/people/saved-views.ts';
import type { SavedView } from '../../store/people/saved-views.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { renderOutside } from '../page/outside.ts';
import { consoleTexts } from '../texts.ts';
import type { Member } from '../visitor.ts';
import { readAddress, writeAddress } from './query.ts';
import type { Address } from './query.ts';

const LONGEST_NAME = 60;

export const ownerOf = ({ person, merchant }: Member) => ({ personId: person.id, merchantId: merchant.id });

function tab(href: string, name: string, isCurrent: boolean): Html {
  return html`<a href="${href}" ${isCurrent && html`aria-current="page"`}>${name}</a>`;
}

function saving(place: Place, query: string): Html {
  const texts = consoleTexts(place.member.language).list;
  return html`<details class="drop save-view">
    <summary class="button quiet">${texts.saveView}</summary>
    <form class="panel" method="post" action="${homeOf(place)}/views">
      <div class="field">
        <label for="view-name">${texts.viewName}</label>
        <input id="view-name" name="name" required maxlength="${LONGEST_NAME}" autocomplete="off" />
      </div>
      <button class="primary">${consoleTexts(place.member.language).frame.save}</button>
      <input type="hidden" name="query" value="${query}" />
    </form>
  </details>`;
}

function removing(place: Place, { name }: SavedView): Html {
  return html`<form method="post" action="${homeOf(place)}/views/remove">
    <input type="hidden" name="name" value="${name}" />
    <button class="quiet">${consoleTexts(place.member.language).list.removeView}</button>
  </form>`;
}

export function renderViews(place: Place, address: Address, views: readonly SavedView[]): Html {
  const query = writeAddress(address);
  const texts = consoleTexts(place.member.language).list;
  if (views.length === 0 && query === '') return html``;
  const list = `${homeOf(place)}/payments`;
  const current = views.find((view) => view.query === query);
  const tabs = views.map((view) => tab(`${list}${view.query}`, view.name, view === current));
  const act = current ? removing(place, current) : query === '' ? html`` : saving(place, query);
  return html`<div class="views">
    <nav class="tabs" aria-label="${texts.views}">${tab(list, texts.all, query === '')} ${tabs}</nav>
    ${act}
  </div>`;
}

/** A field of a form, as a text that can be stored. */
function fieldOf(request: FastifyRequest, name: string): string {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';
}

const nameIn = (request: FastifyRequest): string => fieldOf(request, 'name').trim().slice(0, LONGEST_NAME);

export function routeViews(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;
  app.post(
    '/console/:merchantId/views',
    pageFor(context, 'read', async (place, request, reply) => {
      const given = Object.fromEntries(new URLSearchParams(fieldOf(request, 'query')));
      const query = writeAddress(readAddress(given).address);
      const refuse = (title: string, text: string, status: number) =>
        showPage(
          request,
          reply,
          renderOutside(place.member.language, place.root, title, 'views', html`<p>${text}</p>`),
          status,
        );
      const texts = consoleTexts(place.member.language).list;
      const name = nameIn(request);
      if (name === '') return refuse(texts.noName, texts.noNameText, 400);
      if (!(await saveView(pool, ownerOf(place.member), { name, query })))
        return refuse(texts.tooManyViews, texts.tooManyViewsText, 409);
      return reply.redirect(`${homeOf(place)}/payments${query}`, 303);
    }),
  );
  app.post(
    '/console/:merchantId/views/remove',
    pageFor(context, 'read', async (place, request, reply) => {
      await removeView(pool, ownerOf(place.member), nameIn(request));
      return reply.redirect(`${homeOf(place)}/payments`, 303);
    }),
  );
}
