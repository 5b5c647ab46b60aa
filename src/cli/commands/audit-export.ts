// `kassa audit export`: prints the audit as JSON lines, oldest first, for a security event collector. With --state,
// progress is saved after each page, so that the next run continues there; an interrupted page is printed again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { presentAuditRecord } from '../../merchants/audit-export.ts';
import { remark } from '../../ops/print.ts';
import { UserError } from '../../ops/user-error.ts';
import { withDatabase } from '../../start/database.ts';
import { readChain, recordAct } from '../../store/audit/audit.ts';
import { readChainHeads } from '../../store/audit/audit-head.ts';
import type { ChainHead } from '../../store/audit/audit-head.ts';
import type { Pool } from '../../store/connections/pool.ts';
import { withinTransaction } from '../../store/connections/transaction.ts';
import type { Command } from '../terminal/command.ts';
import { readTime } from './moment.ts';
import { readMerchantId } from './which-merchant.ts';
import { whoAsks } from './who.ts';

// A page is some hundred kilobytes; the largest record has 33.
const PAGE_ROWS = 200;
const FOLLOW_EVERY_MS = 2_000;

/** The number of the last record printed, by merchant; 0 for records that belong to no merchant. */
type Positions = Map<number, number>;

function readState(file: string): Positions {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return new Map();
    throw new UserError(`The --state file ${file} cannot be read (${code}).`);
  }
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    if (entries.every(([id, number]) => /^\d{1,9}$/.test(id) && Number.isSafeInteger(number)))
      return new Map(entries.map(([id, number]) => [Number(id), number as number]));
  } catch {
    // Reported below.
  }
  throw new UserError(`The --state file ${file} was not written by kassa audit export.`);
}

function writeState(file: string, positions: Positions): void {
  const text = `${JSON.stringify(Object.fromEntries(positions))}\n`;
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new UserError(`The --state file ${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Resolves when the output was written, so that at most one page is held in memory. */
const writeOut = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

type Asked = {
  readonly merchantId: number | undefined;
  readonly sinceMs: number | undefined;
  readonly state: string | undefined;
  readonly positions: Positions;
  isContinued: boolean;
};

async function exportChain(pool: Pool, chain: ChainHead, { sinceMs, state, positions }: Asked): Promise<void> {
  const { merchantId } = chain;
  for (;;) {
    const after = positions.get(merchantId) ?? 0;
    const records = await readChain(pool, chain, {
      after,
      limit: PAGE_ROWS,
      ...(sinceMs !== undefined && { sinceMs }),
    });
    const last = records.at(-1);
    if (last === undefined) return;
    const whose = { merchantId: merchantId === 0 ? null : merchantId };
    await writeOut(
      records.map((record) => `${JSON.stringify({ ...whose, ...presentAuditRecord(record) })}\n`).join(''),
    );
    positions.set(merchantId, last.number);
    if (state !== undefined) writeState(state, positions);
  }
}

/** One after the other, since each locks its chain. */
async function recordExports(pool: Pool, chains: readonly ChainHead[]): Promise<void> {
  const actor = whoAsks();
  for (const { merchantId: id, part } of chains)
    await withinTransaction(pool, (within) =>
      recordAct(within, { id, parts: [part] }, { actor, action: 'audit.export', subject: String(id) }),
    );
}

/** Prints all new records; returns the chains that are shorter than what was already exported. */
async function exportRound(pool: Pool, asked: Asked): Promise<number[]> {
  const heads = await readChainHeads(pool);
  const reached = new Map(heads.map(({ merchantId, number }) => [merchantId, number]));
  const cut = [...asked.positions].filter(([id, number]) => (reached.get(id) ?? 0) < number).map(([id]) => id);
  const chains = heads.filter(({ merchantId }) => asked.merchantId === undefined || merchantId === asked.merchantId);
  // A resumed export was recorded when it started.
  if (!asked.isContinued) await recordExports(pool, chains);
  for (const chain of chains) await exportChain(pool, chain, asked);
  return cut;
}

function readAfter(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UserError(`--after is ${text}; it must be the number of a record.`);
  return Number(text);
}

export const exportAuditCommand: Command = {
  usage: '[MERCHANT] [--after NUMBER] [--since TIME] [--state FILE] [--follow]',
  more: 'Prints one record per line, oldest first, of all merchants or of one. With --state, it resumes after the last run.',
  positionals: ['[MERCHANT]'],
  options: {
    after: { type: 'string', value: 'NUMBER', what: 'Only records after this number; requires MERCHANT.' },
    since: { type: 'string', value: 'TIME', what: 'Only records of this time or later, such as 2026-11-15.' },
    state: { type: 'string', value: 'FILE', what: 'Save progress in this file; resume from it if it exists.' },
    follow: { type: 'boolean', what: 'Keep printing new records until Ctrl-C.' },
  },
  run: ({ config, options, positionals }) => {
    const { after, since, state } = options as Readonly<Record<string, string | undefined>>;
    const merchantId = positionals[0] === undefined ? undefined : readMerchantId(positionals[0]);
    if (after !== undefined && (merchantId === undefined || state !== undefined))
      throw new UserError(
        '--after requires MERCHANT and cannot be combined with --state: each merchant has its own numbers.',
      );
    const positions: Positions = state === undefined ? new Map() : readState(state);
    if (after !== undefined) positions.set(merchantId ?? 0, readAfter(after));
    const sinceMs = since === undefined ? undefined : readTime(since, 'since');
    const isContinued = state !== undefined && positions.size > 0;
    const asked: Asked = { merchantId, sinceMs, state, positions, isContinued };
    return withDatabase(config, async (pool) => {
      for (;;) {
        const cut = await exportRound(pool, asked);
        asked.isContinued = true;
        for (const id of cut)
          remark(
            `The audit of ${id === 0 ? 'no merchant' : `merchant ${id}`} ends before record ${positions.get(id)}, which was already exported: was it truncated? Run kassa verify --audit-head.`,
          );
        if (cut.length > 0) return 1;
        if (options['follow'] !== true) return 0;
        await sleep(FOLLOW_EVERY_MS);
      }
    });
  },
};
