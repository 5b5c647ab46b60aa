// How Patroni is set: as docs/operate/failover.md says that it should be.

type Settings = Readonly<Record<string, object | string>>;

export type PatroniSettings = {
  readonly settings: Settings;
  readonly postgres: Readonly<Record<string, object | string | boolean>>;
};

export function patroniSettings({
  ttl,
  password,
  etcd,
}: {
  /** Seconds after which a primary that is not heard of has lost its place. */
  readonly ttl: number;
  readonly password: string;
  readonly etcd: readonly string[];
}): PatroniSettings {
  // Patroni demands that looking once and trying twice fit into the time.
  const loopWait = Math.max(1, Math.floor(ttl / 7));
  const retryTimeout = Math.floor((ttl - loopWait) / 2);
  const parameters = {
    max_connections: 200,
    shared_buffers: '64MB',
    wal_keep_size: '1GB',
    // By which a standby that hangs is known: Patroni names another one as soon as it is gone.
    wal_sender_timeout: `${ttl}s`,
    wal_receiver_timeout: `${ttl}s`,
    wal_retrieve_retry_interval: '500ms',
  };
  return {
    settings: {
      scope: 'kassa',
      // The API of version 2: with that of version 3 this Patroni lost commits when a frozen primary thawed.
      etcd: { hosts: etcd },
      watchdog: { mode: 'off' },
      bootstrap: {
        dcs: {
          ttl,
          loop_wait: loopWait,
          retry_timeout: retryTimeout,
          synchronous_mode: true,
          postgresql: { use_pg_rewind: true, use_slots: true, parameters },
        },
        initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      },
    },
    postgres: {
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'local all all scram-sha-256',
      ],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}
