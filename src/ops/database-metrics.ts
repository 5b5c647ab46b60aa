// Database metrics: whether it is writable, its size, its standbys and, for the embedded one, its disk; and the results of
// reconciliations.
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Why the database is not writable. */
export const REFUSALS = ['away', 'full', 'read_only', 'slow'] as const;
export type DatabaseRefusal = (typeof REFUSALS)[number];

export type DatabaseFigures = {
  readonly bytes: number;
  /** The connected standbys; their lag is unknown without the privilege to see it. */
  readonly standbys: readonly { readonly name: string; readonly lagSeconds: number | null }[];
  /** Only for the embedded database. */
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
  // All processes report the same database, so it must not be summed up.
  const aggregator = 'max' as const;
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, aggregator, registers });
  const refuses = gauge('kassa_database_refuses', 'Whether the database refuses writes, by reason: 1 or 0.', 'reason');
  const bytes = gauge('kassa_database_bytes', 'Size of the database on disk.');
  const standbys = gauge('kassa_database_standbys', 'Connected standbys.');
  const lag = gauge(
    'kassa_database_standby_lag_seconds',
    'Replication lag of a standby, if Kassa may see it.',
    'standby',
  );
  const disk = gauge('kassa_database_disk_bytes', 'Size of the disk of the embedded database.', 'folder');
  const free = gauge('kassa_database_disk_free_bytes', 'Free space on the disk of the embedded database.', 'folder');
  const differences = gauge(
    'kassa_reconcile_differences',
    'Differences found by the last reconciliation with an acquirer.',
    'acquirer',
  );
  const age = gauge('kassa_reconcile_age_seconds', 'Time since the last reconciliation.', 'acquirer');
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
