// The floor of a write: the same rows in one transaction of their own, as a service without groups would write them.
// A floor is a list of statements with :name in place of values, for pgbench or, where there is none, for the driver.
import { PARTS } from '../../src/domain/id.ts';
import { idInSql, partInSql, partOfCopy, spellRow, spellUpdate, TAIL, timeDigits, VERSION_7 } from './copy.ts';
import type { Spelling } from './copy.ts';
import type { Row, Table, Write } from './rows.ts';

export type Floor = {
  readonly statements: readonly string[];
  /** The values that are the same in every transaction. */
  readonly values: Readonly<Record<string, string>>;
  /** A create makes new payments; everything else works on copies that are there. */
  readonly onCopies: boolean;
};

export type FloorRun = {
  readonly clients: number;
  /** Transactions of each client. */
  readonly each: number;
  /** The number of the first copy; client c takes first + c, then first + clients + c, and so on. */
  readonly first: number;
};

const NOW = "'0' || to_hex((extract(epoch from now()) * 1000)::bigint)";

/** The variables that differ from one transaction to the next, as pgbench computes them. */
export function pgbenchVariables({ onCopies }: Floor, { clients, first }: FloorRun): string[] {
  const chosen = onCopies
    ? [
        String.raw`\set n ${first} + :i * ${clients} + :client_id`,
        String.raw`\set i :i + 1`,
        String.raw`\set part ${partInSql(':n')}`,
        String.raw`\set tail ${TAIL} + :n`,
      ]
    : [String.raw`\set part random(0, ${PARTS - 1})`, String.raw`\set tail random(${TAIL}, ${TAIL * 2 - 1})`];
  return [...chosen, String.raw`\set v ${VERSION_7} + :part`];
}

/** The same, computed here for the driver. */
export function driverVariables({ onCopies }: Floor, n: number): Record<string, string> {
  const part = onCopies ? partOfCopy(n) : Math.floor(Math.random() * PARTS);
  const tail = TAIL + (onCopies ? n : Math.floor(Math.random() * TAIL));
  return { part: String(part), tail: String(tail), v: String(VERSION_7 + part) };
}

export function floorOf(writes: readonly Write[], family: readonly string[], timeMs: number | undefined): Floor {
  const values: Record<string, string> = {};
  const time = timeMs === undefined ? NOW : ':time';
  if (timeMs !== undefined) values['time'] = timeDigits(timeMs);
  const as: Spelling = {
    part: ':part',
    id: (member) => idInSql(time, member, ':v::int', ':tail::bigint'),
    value: (text) => {
      const name = `p${Object.keys(values).length}`;
      values[name] = text;
      return `:${name}`;
    },
  };
  const written = writes.map((write) => {
    if (write.kind === 'insert') return insertInto(write.table, write.row, family, as);
    const [sets, guards] = spellUpdate(write, family, as);
    return `update ${write.table.name} set ${sets} where ${guards}`;
  });
  // One statement is a transaction already.
  const statements = timeMs === undefined ? written : ['begin', selectPayment(as), ...written, 'commit'];
  return { statements, values, onCopies: timeMs !== undefined };
}

const selectPayment = (as: Spelling): string => `select * from payments where part = ${as.part} and id = ${as.id(0)}`;

function insertInto(table: Table, row: Row, family: readonly string[], as: Spelling): string {
  const [columns, values] = spellRow(table, row, family, as);
  return `insert into ${table.name} (${columns}) values (${values})`;
}
