// Streams an export of a list page by page, at the speed of the browser and within the merchant's rate. An error aborts the
// connection, so that an incomplete export is noticed. It is requested with POST, since it is recorded in the audit, before
// its last page is sent or when it aborts.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Room } from '../../ops/room.ts';
import { spendTime } from '../../server/rate-limit.ts';
import { recordExport } from '../../merchants/exports.ts';
import { nowOf } from '../../payments/clock.ts';
import { listForPeople } from '../../store/lists/listing/listing.ts';
import type { ListingPage, ListingQuery } from '../../store/lists/listing/listing.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { renderOutside } from '../page/outside.ts';
import { html } from '../../pages/html.ts';
import { consoleTexts } from '../texts.ts';
import { actorOf } from '../visitor.ts';
import { FORMATS } from './export-format.ts';
import type { Format } from './export-format.ts';
import { paced } from './export-pace.ts';
import { queryOf, readAddress } from './query.ts';

// As many as are read and written down in a few milliseconds.
const PAGE_ROWS = 200;
// A connection on which nothing moves for so long is dead; a walk over millions that finds nothing is quicker.
const LONGEST_SILENCE_MS = 300_000;

/** Names that were not looked for would be missing. */
class MoreNames extends Error {}

async function* pagesOf(
  { payments: { store, lifetimes }, costly }: ConsoleContext,
  request: FastifyRequest,
  query: ListingQuery,
  atMs: number,
): AsyncGenerator<ListingPage> {
  let after: string | undefined;
  do {
    // All that a merchant has must not come at once, however quickly it is taken.
    await request.budget?.payOff();
    const page = await costly.exports.run({ tenant: query.merchantId }, () =>
      spendTime(request, () => listForPeople(store.pool, { ...query, ...(after && { after }) }, atMs, lifetimes)),
    );
    if (page.hasMoreNames) throw new MoreNames();
    yield page;
    after = page.cursor;
  } while (after !== undefined);
}

async function* textOf(
  { head, line }: Format,
  first: IteratorResult<ListingPage, void>,
  rest: AsyncGenerator<ListingPage>,
  record: (rows: number, isWhole: boolean) => Promise<void>,
): AsyncGenerator<string> {
  let [rows, isRecorded] = [0, false];
  const recordOnce = async (isWhole: boolean): Promise<void> => {
    if (isRecorded) return;
    isRecorded = true;
    await record(rows, isWhole);
  };
  try {
    if (head !== '') yield head;
    for (let next = first; next.done !== true;) {
      const { payments } = next.value;
      next = await rest.next();
      const text = payments.map(line).join('');
      rows += payments.length;
      if (next.done === true) await recordOnce(true);
      if (text !== '') yield text;
    }
  } finally {
    await recordOnce(false);
  }
}

// A person has a few at once, so that nobody's loop takes the database from others, a merchant a share that leaves most to
// others, and a process a few more.
const [MOST_OF_PERSON, MOST_OF_MERCHANT, MOST_OF_ALL] = [2, 3, 8];

const REFUSED = { busy: 429, names: 400, address: 400 } as const;

export function routeExport(app: FastifyInstance, context: ConsoleContext): void {
  const underWay = new Room();
  for (const [name, format] of Object.entries(FORMATS))
    app.post(
      `/console/:merchantId/payments.${name}`,
      pageFor(context, 'read', async ({ root, member }, request, reply) => {
        const refuse = (why: keyof typeof REFUSED) => {
          const { refused, refusedText } = consoleTexts(member.language).list;
          const text = html`<p>${refusedText[why]}</p>`;
          const page = renderOutside(member.language, root, refused[why], 'export', text);
          return showPage(request, reply, page, REFUSED[why]);
        };
        const { address, faults } = readAddress(request.query);
        // Left out here, it would be an export of more than was asked for.
        if (faults.length > 0) return refuse('address');
        const { after: _page, ...whole } = address;
        const leave = underWay.take([
          [member.person.id, MOST_OF_PERSON],
          [member.merchant.id, MOST_OF_MERCHANT],
          [underWay, MOST_OF_ALL],
        ]);
        if (leave === undefined) return refuse('busy');
        reply.raw.once('close', leave);
        if (reply.raw.destroyed) leave();
        const { q: searched, ...filters } = whole;
        const record = (rows: number, isWhole: boolean): Promise<void> =>
          recordExport(context.payments.store.pool, actorOf(member), member.merchant, {
            format: name,
            filters,
            ...(searched !== undefined && { searched }),
            rows,
            isWhole,
          });
        const pages = pagesOf(
          context,
          request,
          queryOf(member.merchant.id, whole, PAGE_ROWS, member.language),
          nowOf(member.merchant),
        );
        try {
          const first = await pages.next();
          const day = new Date().toISOString().slice(0, 10);
          const end = (): void => void (reply.raw.closed || reply.raw.destroy());
          reply.raw.setTimeout(LONGEST_SILENCE_MS, end);
          return await reply
            .headers({
              'content-type': format.type,
              'content-disposition': `attachment; filename="payments-${member.merchant.id}-${day}.${name}"`,
              'cache-control': 'no-store',
              'x-content-type-options': 'nosniff',
            })
            .send(Readable.from(paced(textOf(format, first, pages, record), end), { objectMode: false }));
        } catch (error) {
          if (error instanceof MoreNames) return refuse('names');
          throw error;
        }
      }),
    );
}
