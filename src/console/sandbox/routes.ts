// The sandbox of a test merchant: its clock, for all of its people to read and for those who act to move. A live merchant
// has no such address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestOf } from '../../server/body.ts';
import { readMoment } from '../../server/formats.ts';
import { moveClock } from '../../merchants/clock.ts';
import type { ClockStep } from '../../merchants/clock.ts';
import { MOST_AHEAD_MS, readClock } from '../../store/merchants/clock.ts';
import type { ConsoleContext } from '../context.ts';
import { pageFor, showPage } from '../page-reply.ts';
import { homeOf } from '../page/frame.ts';
import type { Place } from '../page/frame.ts';
import { fieldsOf } from '../form.ts';
import { renderNotHere } from '../page/not-here.ts';
import { isActKey, newActKey } from '../payment/act.ts';
import type { ConsoleTexts } from '../texts.ts';
import { consoleTexts } from '../texts.ts';
import { actorOf, may } from '../visitor.ts';
import type { Member } from '../visitor.ts';
import { renderSandbox } from './page.ts';
import type { Proposal, SandboxView } from './page.ts';

type Asked = { readonly by?: unknown; readonly to?: unknown; readonly moved?: unknown };

/** Who handles money, and who builds against it. */
const mayMove = (member: Member): boolean => may(member, 'move money') || may(member, 'develop');

/** By seconds or to a moment; undefined: neither, or nonsense. */
function readStep({ by, to }: Asked): { readonly field: Proposal['field']; readonly step: ClockStep } | undefined {
  if (typeof by === 'string' && /^[1-9]\d{0,7}$/.test(by)) return { field: 'by', step: { byMs: Number(by) * 1_000 } };
  const toMs = typeof to === 'string' ? readMoment(to) : undefined;
  return toMs === undefined ? undefined : { field: 'to', step: { toMs } };
}

export function routeSandbox(app: FastifyInstance, context: ConsoleContext): void {
  const { pool } = context.payments.store;

  const viewOf = async ({ member }: Place): Promise<SandboxView> => {
    const clock = await readClock(pool, member.merchant.id);
    if (clock === undefined) throw new Error(`merchant ${member.merchant.id} is gone`);
    const { realMs, aheadMs } = clock;
    return { nowMs: realMs + aheadMs, aheadMs, latestMs: realMs + MOST_AHEAD_MS, mayMove: mayMove(member) };
  };

  const notHere = (place: Place, request: FastifyRequest, reply: FastifyReply, status = 404): Promise<FastifyReply> =>
    showPage(request, reply, renderNotHere(place), status);

  /** What is asked for, as a question; or why it cannot be. */
  function propose(view: SandboxView, asked: Asked, texts: ConsoleTexts['sandbox']): Partial<SandboxView> {
    if (asked.by === undefined && asked.to === undefined) return {};
    const bad = (text: string): Partial<SandboxView> => ({ notice: { tone: 'bad', text } });
    const read = readStep(asked);
    if (read === undefined) return bad(texts.badTime);
    const { field, step } = read;
    const toMs = 'byMs' in step ? view.nowMs + step.byMs : step.toMs;
    if (toMs <= view.nowMs) return bad(texts.notForward);
    if (toMs > view.latestMs) return bad(texts.tooFar);
    return { proposal: { field, value: String(asked[field]), toMs, key: newActKey() } };
  }

  app.get(
    '/console/:merchantId/sandbox',
    pageFor(context, 'read', async (place, request, reply) => {
      const { member } = place;
      if (member.merchant.live) return notHere(place, request, reply);
      const texts = consoleTexts(member.language).sandbox;
      const view = await viewOf(place);
      const asked = request.query as Asked;
      const done: Partial<SandboxView> = asked.moved === 'yes' ? { notice: { tone: 'good', text: texts.moved } } : {};
      return renderSandbox(place, { ...view, ...done, ...(view.mayMove && propose(view, asked, texts)) });
    }),
  );

  app.post(
    '/console/:merchantId/sandbox/clock',
    pageFor(context, 'read', async (place, request, reply) => {
      const { member } = place;
      if (member.merchant.live) return notHere(place, request, reply);
      if (!mayMove(member)) return notHere(place, request, reply, 403);
      const texts = consoleTexts(member.language).sandbox;
      const refuse = async (text: string, status: number): Promise<FastifyReply> => {
        const view = { ...(await viewOf(place)), notice: { tone: 'bad', text } as const };
        return showPage(request, reply, renderSandbox(place, view), status);
      };
      const fields = fieldsOf(request);
      const { key, by = '', to = '' } = fields;
      const read = readStep(fields);
      if (read === undefined || !isActKey(key)) return refuse(texts.badTime, 400);
      // A second click or a reload brings the key again: the clock is moved once.
      const keyed = { key, request: digestOf({ by, to }), answerOf: () => '{}' };
      const moved = await moveClock(pool, actorOf(member), member.merchant, read.step, keyed);
      switch (moved.kind) {
        case 'moved':
        case 'replayed':
          return reply.redirect(`${homeOf(place)}/sandbox?moved=yes`, 303);
        case 'not_forward':
          return refuse(texts.notForward, 422);
        case 'too_far':
          return refuse(texts.tooFar, 422);
        case 'other_request_had_key':
          return refuse(texts.badTime, 409);
        case 'live':
          return notHere(place, request, reply);
      }
    }),
  );
}
