// Verifies the audit: walks every merchant's chain, page by page, and reports each record that was changed, removed or
// moved. Records may be added meanwhile: the head is read before the records, so there must be at least as many, and
// again after them, so there must be no more.
import type { PoolClient } from 'pg';
import { AUDIT_COLUMNS, FIRST_HASH, hashOfRecord } from '../audit/audit.ts';
import type { AuditRow } from '../audit/audit.ts';
import type { SignedHeads, SignedRecord } from '../audit/audit-head.ts';
import { NO_QUERY_TIMEOUT } from '../connections/pool.ts';
import type { Pool } from '../connections/pool.ts';
import { withLongStatements } from './verify/long-statements.ts';

export type AuditDifference = { readonly merchantId: number; readonly number: number; readonly difference: string };

export type AuditFindings = {
  readonly chains: number;
  readonly records: number;
  readonly differences: readonly AuditDifference[];
};

type Head = { part: number; merchant_id: number; number: number; hash: Buffer };
type Row = AuditRow & { hash: Buffer };

const HEADS_PAGE = 500;
const RECORDS_PAGE = 500;
// If everything in a chain was changed, the first ones are enough.
const MOST_OF_CHAIN = 100;

async function* readHeads(client: PoolClient): AsyncGenerator<Head> {
  let [part, merchantId] = [-1, -1];
  for (;;) {
    const { rows } = await client.query<Head>({
      text: `select part, merchant_id, number, hash from audit_heads
        where (part, merchant_id) > ($1, $2) order by part, merchant_id limit ${HEADS_PAGE}`,
      values: [part, merchantId],
      ...NO_QUERY_TIMEOUT,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    [part, merchantId] = [last.part, last.merchant_id];
  }
}

/** The current head; adding a record moves it in the same transaction. */
async function readHead(client: PoolClient, { part, merchant_id: merchantId }: Head): Promise<{ number: number }> {
  const { rows } = await client.query<{ number: number }>(
    'select number from audit_heads where part = $1 and merchant_id = $2',
    [part, merchantId],
  );
  return rows[0] ?? { number: 0 };
}

async function* readChain(client: PoolClient, { part, merchant_id: merchantId }: Head): AsyncGenerator<Row> {
  let after = 0;
  for (;;) {
    const { rows } = await client.query<Row>({
      text: `select ${AUDIT_COLUMNS}, hash from audit_records
        where part = $1 and merchant_id = $2 and number > $3 order by number limit ${RECORDS_PAGE}`,
      values: [part, merchantId, after],
      ...NO_QUERY_TIMEOUT,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

const missing = (from: number, to: number): string =>
  from === to ? 'is missing' : `is missing, and all up to ${to} are`;

/** Signed records that are not in the chain any more: its tail was cut, whatever was added since. */
function findCut(signed: ReadonlyMap<number, SignedRecord>, last: number): string | undefined {
  const [number, record] = [...signed].toSorted(([a], [b]) => b - a)[0] ?? [0];
  if (record === undefined || number <= last) return undefined;
  const end = last === 0 ? 'there is no such chain' : `the chain ends at record ${last}`;
  return `the head that was signed at ${record.at} names record ${number}, and ${end}: its tail was cut`;
}

async function walkChain(
  client: PoolClient,
  head: Head,
  signed: ReadonlyMap<number, SignedRecord>,
): Promise<{ records: number; differences: AuditDifference[] }> {
  const differences: AuditDifference[] = [];
  const find = (number: number, difference: string): void => {
    if (differences.length < MOST_OF_CHAIN) differences.push({ merchantId: head.merchant_id, number, difference });
  };
  let [records, next, previous, isRewritten] = [0, 1, FIRST_HASH as Buffer, false];
  for await (const row of readChain(client, head)) {
    records += 1;
    const isGap = row.number !== next;
    if (isGap) find(next, missing(next, row.number - 1));
    if (!hashOfRecord(row).equals(row.hash)) find(row.number, 'was changed: its hash is that of another text');
    else if (!isGap && !row.previous_hash.equals(previous))
      find(row.number, 'does not follow the record before it: one of them was put there');
    const known = isRewritten ? undefined : signed.get(row.number);
    if (known && !known.hash.equals(row.hash)) {
      isRewritten = true;
      find(row.number, `is not the one that the head signed at ${known.at} names: the chain was rewritten`);
    }
    if (row.number === head.number && !row.hash.equals(head.hash)) find(row.number, 'is not the one that was last');
    [next, previous] = [row.number + 1, row.hash];
  }
  if (next <= head.number) find(next, missing(next, head.number));
  const cut = findCut(signed, next - 1);
  if (cut !== undefined) find(next, cut);
  const now = await readHead(client, head);
  if (next - 1 > now.number) find(now.number + 1, 'stands behind the record that is last');
  return { records, differences };
}

/** Records without a head are in no chain. */
async function findHeadless(client: PoolClient): Promise<AuditDifference[]> {
  const { rows } = await client.query<{ merchant_id: number; number: number }>({
    text: `select merchant_id, min(number) as number from audit_records as record
      where not exists (
        select 1 from audit_heads as head where head.part = record.part and head.merchant_id = record.merchant_id)
      group by merchant_id order by merchant_id limit ${MOST_OF_CHAIN}`,
    ...NO_QUERY_TIMEOUT,
  });
  return rows.map(({ merchant_id: merchantId, number }) => ({
    merchantId,
    number,
    difference: 'belongs to a chain whose head is gone',
  }));
}

/** Actions without a record after a time in which any process would have added it. */
async function findUntold(client: PoolClient): Promise<AuditDifference[]> {
  const { rows } = await client.query<{ merchant_id: number; count: number }>({
    text: `select merchant_id, count(*)::int as count from audit_waits where at < now() - interval '1 hour'
      group by merchant_id order by merchant_id limit ${MOST_OF_CHAIN}`,
    ...NO_QUERY_TIMEOUT,
  });
  return rows.map(({ merchant_id: merchantId, count }) => ({
    merchantId,
    number: 0,
    difference: `${count} actions of more than an hour ago wait for their records`,
  }));
}

/** `signed`: the heads to compare the chains with. */
export async function verifyAudit(pool: Pool, signed?: SignedHeads): Promise<AuditFindings> {
  return pool.withClient((client) =>
    withLongStatements(client, async () => {
      const differences = [...(await findHeadless(client)), ...(await findUntold(client))];
      let [chains, records] = [0, 0];
      const unwalked = new Set(signed?.merchantIds);
      for await (const head of readHeads(client)) {
        const walked = await walkChain(client, head, signed?.of(head.merchant_id) ?? new Map<number, SignedRecord>());
        unwalked.delete(head.merchant_id);
        chains += 1;
        records += walked.records;
        differences.push(...walked.differences);
      }
      for (const merchantId of unwalked) {
        const cut = signed && findCut(signed.of(merchantId), 0);
        if (cut !== undefined) differences.push({ merchantId, number: 1, difference: cut });
      }
      return { chains, records, differences };
    }),
  );
}
