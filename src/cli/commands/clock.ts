// `kassa clock [show|advance DURATION|to TIME]`: what time it is for a test merchant's payments, and moving it forward.
import { readDuration } from '../../config.ts';
import { readMoment } from '../../server/formats.ts';
import { moveClock, tellClock } from '../../merchants/clock.ts';
import type { ClockMoved, ClockStep, ClockTimes } from '../../merchants/clock.ts';
import { print, remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import { JSON_OPTION, printJson } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { merchantIn } from './which-merchant.ts';
import { whoAsks } from './who.ts';

/** Undefined where it is only to be shown. */
function readStep([act = 'show', text]: readonly string[]): ClockStep | undefined {
  if (act === 'show') {
    if (text !== undefined) throw new UserError(`${text} is too much: kassa clock show takes nothing more.`);
    return undefined;
  }
  if (act === 'advance') {
    const byMs = readDuration(text ?? '');
    if (!(byMs > 0))
      throw new UserError(`DURATION is ${text ?? 'missing'}; it must be a duration such as 90s, 30m, 12h or 3d.`);
    return { byMs };
  }
  if (act !== 'to') throw new UserError(`${act} is no act of a clock; it must be show, advance or to.`);
  const toMs = readMoment(text ?? '');
  if (toMs === undefined)
    throw new UserError(`TIME is ${text ?? 'missing'}; it must be a date or a time such as 2026-12-01T08:00:00Z.`);
  return { toMs };
}

const noClock = (id: number): UserError =>
  new UserError(`Merchant ${id} is live: it has no test clock, and its time is the real one.`);

function requireMoved(moved: ClockMoved, id: number): ClockTimes {
  switch (moved.kind) {
    case 'moved':
      return moved.clock;
    case 'live':
      throw noClock(id);
    case 'not_forward':
      throw new UserError(`It is ${moved.clock.time} by this clock already, and it is never moved back.`);
    case 'too_far':
      throw new UserError(`The clock can be moved to ${moved.clock.latest} at most, two years ahead of the real time.`);
    case 'replayed':
    case 'other_request_had_key':
      throw new Error('a command has no idempotency key');
  }
}

function tell({ time, aheadSeconds }: ClockTimes): void {
  print(time);
  remark(aheadSeconds === 0 ? 'That is the real time.' : `That is ${aheadSeconds} s ahead of the real time.`);
}

export const clockCommand: Command = {
  usage: '[show | advance DURATION | to TIME] [--merchant MERCHANT] [--json]',
  more: [
    'DURATION is such as 90s, 30m, 12h or 3d; TIME is a date or a time such as 2026-12-01T08:00:00Z.',
    'Moves add up, to two years at most, and none goes back. A live merchant has no clock.',
  ].join('\n'),
  positionals: ['[ACT]', '[WHEN]'],
  options: {
    merchant: { type: 'string', value: 'MERCHANT', what: 'Whose; may be left out where there is only one.' },
    json: JSON_OPTION,
  },
  run: ({ config, options, positionals }) => {
    const step = readStep(positionals);
    const which = merchantIn(typeof options['merchant'] === 'string' ? [options['merchant']] : []);
    return withDatabase(config, async (pool) => {
      const merchant = await which(pool);
      if (merchant.live) throw noClock(merchant.id);
      const clock = step
        ? requireMoved(await moveClock(pool, whoAsks(), merchant, step), merchant.id)
        : await tellClock(pool, merchant);
      if (options['json']) printJson({ merchantId: merchant.id, ...clock });
      else tell(clock);
      return 0;
    });
  },
};
