// The figures of the database behind the service, as far as whoever uses it can know them: whether it takes what is
// written, its size, its standbys, and of the embedded one the disk; and what comparisons with acquirers found.
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Why the database takes nothing. */
export const REFUSALS = ['away', 'full', 'read_only', 'slow'] as const;
export type DatabaseRefusal = (typeof REFUSALS)[number];

export type DatabaseFigures = {
  readonly bytes: number;
  /** Those that are connected; of how far one is behind nothing is known without the right to see it. */
  readonly standbys: readonly { readonly name: string; readonly lagSeconds: number | null }[];
  /** Where the database is on this machine, and the machine is ours. */
  readonly disk?: { readonly folder: string; readonly bytes: number; readonly freeBytes: number };
};

export type ReconcileFigures = {
  readonly acquirer: string;
  readonly differences: number;
  readonly ageSeconds: number;
};

export type DatabaseMetrics = {
  onDatabaseAsked(refusal: DatabaseRefusal | undefined): void;
  onDatabase(figures: DatabaseFigures): void;
  onReconciled(outcomes: readonly ReconcileFigures[]): void;
};

export function createDatabaseMetrics(registers: Registry[]): DatabaseMetrics {
  // Each process sees the same database: the sum would be too much.
  const aggregator = 'max' as const;
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, aggregator, registers });
  const refuses = gauge(
    'kassa_database_refuses',
    'Whether the database takes nothing that is written, by reason: 1 or 0.',
    'reason',
  );
  const bytes = gauge('kassa_database_bytes', 'Size of the database on its disk.');
  const standbys = gauge('kassa_database_standbys', 'Servers that follow the one that is written to.');
  const lag = gauge(
    'kassa_database_standby_lag_seconds',
    'How far a standby is behind, where it may be seen.',
    'standby',
  );
  const disk = gauge('kassa_database_disk_bytes', 'Size of the disk of the embedded database.', 'folder');
  const free = gauge('kassa_database_disk_free_bytes', 'What is free on the disk of the embedded database.', 'folder');
  const differences = gauge(
    'kassa_reconcile_differences',
    'Differences that the last comparison with the book of an acquirer found.',
    'acquirer',
  );
  const age = gauge('kassa_reconcile_age_seconds', 'For how long that comparison is over.', 'acquirer');
  return {
    onDatabaseAsked: (refusal) => {
      for (const reason of REFUSALS) refuses.labels(reason).set(reason === refusal ? 1 : 0);
    },
    onDatabase: (figures) => {
      bytes.set(figures.bytes);
      standbys.set(figures.standbys.length);
      lag.reset();
      for (const { name, lagSeconds } of figures.standbys) if (lagSeconds !== null) lag.labels(name).set(lagSeconds);
      if (figures.disk === undefined) return;
      disk.labels(figures.disk.folder).set(figures.disk.bytes);
      free.labels(figures.disk.folder).set(figures.disk.freeBytes);
    },
    onReconciled: (outcomes) => {
      for (const one of [differences, age]) one.reset();
      for (const { acquirer, differences: count, ageSeconds } of outcomes) {
        differences.labels(acquirer).set(count);
        age.labels(acquirer).set(ageSeconds);
      }
    },
  };
}
