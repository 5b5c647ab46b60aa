// Goal: the test suite and the trials leave no process and no file behind, in whatever way and at whatever moment they are
// ended. Method: a run is ended as soon as something of it is seen to run; then all processes that have the run's folder,
// or that it had started until then, have to be gone, and its folder too. The trials of machines and containers are not
// among them: they want Debian's programs, and what they start is started as it is here, or by proof/daemon.ts with its
// folder named.
import { describe, test } from 'node:test';
import { endMidway, MAKES_POSTGRES, POSTGRES_RUNS, SUITE, WORKER_RUNS } from '../support/ended.ts';
import type { Ending, Moment, Way } from '../support/ended.ts';

type Run = {
  readonly name: string;
  readonly args: Ending['args'];
  readonly endings: readonly (readonly [Moment, Way])[];
};

const SERVES: Moment = { when: 'a Kassa serves', started: /src\/main\.ts serve/ };
const DELIVERS: Moment = { when: 'its workers deliver', started: /src\/main\.ts worker/ };
const LOADS: Moment = { when: 'load is put on it', started: /load-client\.ts/ };
const STARTS: Moment = { when: 'it has just been started', started: /keeper\.ts/ };

const RUNS: readonly Run[] = [
  {
    name: 'the suite',
    args: SUITE,
    endings: [
      [STARTS, 'SIGINT'],
      [POSTGRES_RUNS, 'SIGKILL of its parent'],
      [MAKES_POSTGRES, 'SIGTERM'],
      [WORKER_RUNS, 'SIGINT'],
      [POSTGRES_RUNS, 'SIGTERM'],
      [WORKER_RUNS, 'SIGKILL'],
    ],
  },
  {
    name: 'bench',
    args: ['proof/bench/main.ts', '--only', 'create'],
    endings: [
      [LOADS, 'SIGTERM'],
      [SERVES, 'SIGKILL'],
    ],
  },
  {
    name: 'chaos',
    args: ['proof/chaos/main.ts', '--seconds', '20'],
    endings: [
      [POSTGRES_RUNS, 'SIGTERM'],
      [SERVES, 'SIGKILL'],
    ],
  },
  {
    name: 'deliveries',
    args: ['proof/deliveries/main.ts', '--payments', '400'],
    endings: [[DELIVERS, 'SIGKILL of its parent']],
  },
  { name: 'soak', args: ['proof/soak/main.ts', '--minutes', '2'], endings: [[SERVES, 'SIGTERM']] },
];

const isLinux = process.platform === 'linux';

for (const { name, args, endings } of RUNS)
  describe(`${name} leaves nothing behind`, { skip: !isLinux && 'only Linux tells about processes' }, () => {
    for (const [moment, way] of endings)
      test(`on ${way} when ${moment.when}`, async () => void (await endMidway({ args, moment, way })));
  });
