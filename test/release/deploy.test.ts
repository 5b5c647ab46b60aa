// Goal: the files that people copy name what is there, settings, commands, paths; and the unit is as closed as its page
// says. Method: each is read and held against the program; the unit is judged by systemd's own tool, where there is one.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { isSetting } from '../../src/config/settings.ts';
import { root } from '../../proof/program.ts';
import { readDocument } from '../start/documents.ts';

const FILES = [
  'systemd/kassa.service',
  'container/Dockerfile',
  'container/compose.yaml',
  'container/Caddyfile',
  'nginx/kassa.conf',
  'prometheus/kassa-rules.yaml',
  'prometheus/scrape.yaml',
  'grafana/kassa.json',
  'helm/kassa/Chart.yaml',
];
// What goes with one of them.
const PARTS = globSync('helm/kassa/{values.yaml,templates/*}', { cwd: join(root, 'deploy') });
const OF_CI = globSync('examples/ci/*', { cwd: root }).map((file) => join('..', file));
const MOST_EXPOSED = 2;

const read = (file: string): string => readFileSync(join(root, 'deploy', file), 'utf8');
const hasTool = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the files of deploy', () => {
  test('name no setting that there is not, and each stands on its page with how far it was tried', () => {
    const { text } = readDocument('docs/operate/deploy.md');
    assert.ok(PARTS.length > 8 && OF_CI.length === 2);
    for (const file of [...FILES, ...PARTS, ...OF_CI]) {
      const named = Array.from(read(file).matchAll(/\b(?:KASSA|DATABASE)_[A-Z_]*[A-Z]\b/g), ([name]) => name);
      assert.deepEqual(
        named.filter((name) => !isSetting(name)),
        [],
        file,
      );
      if (FILES.includes(file)) assert.ok(text.includes(`\`${file}\``), file);
    }
  });

  test('run commands that there are, by the path that the package has', () => {
    const names = new Set(commands.map(({ name }) => name));
    const unit = [...read(FILES[0] as string).matchAll(/^ExecStart\w*=\S+ (\S+) (\w+)$/gm)];
    assert.deepEqual(
      unit.map(([, , command]) => command),
      ['migrate', 'serve'],
    );
    const composed = Array.from(read('container/compose.yaml').matchAll(/command: \[(\w+)\]/g), ([, name]) => name);
    assert.deepEqual(composed, ['migrate', 'worker']);
    for (const name of ['serve', ...composed]) assert.ok(names.has(name), name);
    const charted = PARTS.flatMap((file) => Array.from(read(file).matchAll(/args: \[(\w+)\]/g), ([, name]) => name));
    assert.deepEqual(new Set(charted), new Set(['migrate', 'serve', 'worker']));
    for (const file of OF_CI) {
      const run = Array.from(
        read(file).matchAll(/(?:npx kassa|kassa\.js)(?: \\\n)? +(merchant \w+|\w+)/g),
        ([, name]) => name,
      );
      assert.ok(run.length > 3, file);
      for (const name of run) assert.ok(names.has(name as string), `${file}: ${name}`);
    }
    const path = '/opt/kassa/node_modules/kassa/bin/kassa.js';
    for (const [, program] of unit) assert.equal(program, path);
    assert.ok(read('container/Dockerfile').includes(`"${path}"`));
  });

  test(
    `the unit is good, and less than ${MOST_EXPOSED} of 10 exposed`,
    { skip: !hasTool && 'no systemd-analyze' },
    (t) => {
      const unit = join(root, 'deploy', FILES[0] as string);
      const judged = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
        encoding: 'utf8',
      });
      const exposed = Number(/exposure level for kassa\.service: ([\d.]+)/.exec(judged)?.[1]);
      t.diagnostic(`exposed ${exposed} of 10`);
      assert.ok(exposed < MOST_EXPOSED, judged);
      const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
      // Where this runs, Kassa need not be installed.
      const wrong = stderr
        .split('\n')
        .filter((line) => line.includes('kassa.service') && !line.includes('/usr/bin/node'));
      assert.deepEqual(wrong, []);
    },
  );
});
