// `kassa clock [show|advance DURATION|to TIME]`: shows a test merchant's clock, or moves it forward.
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

/** Undefined for show. */
function readStep([action = 'show', text]: readonly string[]): ClockStep | undefined {
  if (action === 'show') {
    if (text !== undefined) throw new UserError(`Unexpected argument ${text}: kassa clock show takes none.`);
    return undefined;
  }
  if (action === 'advance') {
    const byMs = readDuration(text ?? '');
    if (!(byMs > 0))
      throw new UserError(`DURATION is ${text ?? 'missing'}; it must be a duration such as 90s, 30m, 12h or 3d.`);
    return { byMs };
  }
  if (action !== 'to') throw new UserError(`Unknown action ${action}; it must be show, advance or to.`);
  const toMs = readMoment(text ?? '');
  if (toMs === undefined)
    throw new UserError(`TIME is ${text ?? 'missing'}; it must be a date or a time such as 2026-12-01T08:00:00Z.`);
  return { toMs };
}

const noClock = (id: number): UserError =>
  new UserError(`Merchant ${id} is live: only test merchants have a clock of their own.`);

function requireMoved(moved: ClockMoved, id: number): ClockTimes {
  switch (moved.kind) {
    case 'moved':
      return moved.clock;
    case 'live':
      throw noClock(id);
    case 'not_forward':
      throw new UserError(`The clock shows ${moved.clock.time} already, and it cannot be moved back.`);
    case 'too_far':
      throw new UserError(`The clock can be moved to ${moved.clock.latest} at most, two years ahead of real time.`);
    case 'replayed':
    case 'other_request_had_key':
      throw new Error('a command has no idempotency key');
  }
}

function printClock({ time, aheadSeconds }: ClockTimes): void {
  print(time);
  remark(aheadSeconds === 0 ? 'This is the real time.' : `This is ${aheadSeconds} s ahead of real time.`);
}

export const clockCommand: Command = {
  usage: '[show | advance DURATION | to TIME] [--merchant MERCHANT] [--json]',
  more: [
    'DURATION is for example 90s, 30m, 12h or 3d; TIME is a date or a time such as 2026-12-01T08:00:00Z.',
    'The clock can be at most two years ahead, and cannot be moved back. A live merchant has no clock.',
  ].join('\n'),
  positionals: ['[ACTION]', '[WHEN]'],
  options: {
    merchant: { type: 'string', value: 'MERCHANT', what: 'The merchant; optional if there is only one.' },
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
      else printClock(clock);
      return 0;
    });
  },
};
