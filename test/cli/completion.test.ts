// `kassa completion`. Goal: Tab offers what the table of commands has, and nothing else. Method: bash itself reads the
// script and is asked as when somebody presses Tab; of the other shells, that every command and option is in their script.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commands as outlines } from '../../src/cli/commands.ts';
import { runCommand } from '../support/commands.ts';

const commands = await Promise.all(outlines.map(async (one) => ({ ...one, ...(await one.load()) })));

async function scriptFor(shell: string): Promise<string> {
  const { code, out, err } = await runCommand(['completion', shell]);
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  return out;
}

/** What bash offers behind each of these lines; a space at its end begins a new word. */
async function pressTab(lines: readonly string[]): Promise<string[][]> {
  const ask = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _kassa; echo "\${COMPREPLY[*]}"`;
  });
  const script = [await scriptFor('bash'), ...ask].join('\n');
  const said = execFileSync('bash', ['--norc', '-u'], { input: script, encoding: 'utf8', cwd: import.meta.dirname });
  return said
    .split('\n')
    .slice(0, lines.length)
    .map((line) => line.split(' ').filter(Boolean));
}

test('bash completes every command, every option and what an option takes', async () => {
  const asked: [line: string, expected: string[]][] = [
    ['kassa merch', ['merchant']],
    ['kassa key ', ['create', 'list', 'revoke', '--help']],
    ['kassa help key re', ['revoke']],
    ['kassa bank ', ['book', '--port', '--host', '--data', '--key', '--faults', '--help']],
    ['kassa bank b', ['book']],
    ['kassa merchant create --dialect ', ['spec', 'nexi']],
    ['kassa merchant create --name ', []],
    ['kassa merchant update 100 --logo completion', ['completion.test.ts']],
    ['kassa completion ', ['bash', 'zsh', 'fish', '--help']],
    ['kassa nothing-like-it', []],
    ...commands.map(({ name, options = {} }): [string, string[]] => [
      `kassa ${name} --`,
      [...Object.keys(options), 'help'].map((option) => `--${option}`),
    ]),
  ];
  const offered = await pressTab(asked.map(([line]) => line));
  assert.deepEqual(
    asked.map(([line], at) => [line, offered[at]]),
    asked,
  );
});

test('zsh and fish have every command and every option, too', async () => {
  const [zsh, fish] = [await scriptFor('zsh'), await scriptFor('fish')];
  for (const { name, options = {} } of commands) {
    assert.ok(zsh.includes(`\n    '${name}') next=(`), name);
    for (const option of Object.keys(options)) {
      assert.ok(zsh.includes(`'--${option}:`), `${name} --${option}`);
      assert.ok(fish.includes(String.raw`-n '__kassa_at \'${name}\'' -l ${option}`), `${name} --${option}`);
    }
  }
});

test('another shell is refused with those that there are', async () => {
  const { code, err } = await runCommand(['completion', 'powershell']);
  assert.equal(code, 1);
  assert.match(err, /Unknown shell powershell; it must be one of bash, zsh, fish\./);
});
