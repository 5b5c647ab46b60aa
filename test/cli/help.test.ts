// Goal: a newcomer finds every command, and a typing mistake is answered with what was meant. Method: run the program
// with those words; none of them reaches a database.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { commands as outlines } from '../../src/cli/commands.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { TRACING_SETTINGS } from '../../src/config/tracing.ts';
import { runCommand } from '../support/commands.ts';
import { runKassa } from '../support/kassa.ts';
import { root } from '../../proof/program.ts';

const commands = await Promise.all(outlines.map(async (one) => ({ ...one, ...(await one.load()) })));

// Two are run at once: half of the time each waits for the disk.
const options = { concurrency: 2 };

async function printed(...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand(args);
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  return out;
}

async function refused(...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand(args);
  // Where 1 tells what was found, it is 2.
  const { troubleCode = 1 } = commands.find(({ name }) => name === args[0]) ?? {};
  assert.deepEqual({ code, out }, { code: troubleCode, out: '' });
  return err;
}

describe('help', options, () => {
  test('kassa alone, --help, -h and help list every command', async () => {
    const overview = await printed();
    for (const { name, summary } of commands) assert.match(overview, new RegExp(`^  ${name} .*${summary}$`, 'm'));
    for (const words of [['--help'], ['-h'], ['help'], ['help', '--help']])
      assert.equal(await printed(...words), overview);
  });

  test('help and --help tell the same of every command, with its usage and its options', async () => {
    for (const { name, usage = '', options: known = {} } of commands) {
      const words = name.split(' ');
      const text = await printed('help', ...words);
      assert.ok(text.includes(`Usage: kassa ${name} ${usage}`.trim()), text);
      for (const option of Object.keys(known)) assert.ok(text.includes(`  --${option} `), `${name}: ${option}`);
      for (const line of text.split('\n')) assert.ok(line.length <= 120, `${name}: ${line}`);
    }
    assert.equal(await printed('key', 'list', '--help'), await printed('help', 'key', 'list'));
    assert.equal(await printed('key', 'list', '-h', 'more', '--words'), await printed('help', 'key', 'list'));
  });

  test('the help of serve lists every setting with its default', async () => {
    const text = await printed('serve', '--help');
    for (const [name, [fallback]] of Object.entries({ ...SETTINGS, ...TRACING_SETTINGS }))
      assert.match(text, new RegExp(`^${name} +${fallback}`, 'm'));
  });

  test('a group alone lists its commands and no others', async () => {
    const text = await printed('merchant');
    assert.match(text, /^Usage: kassa merchant COMMAND/);
    for (const { name } of commands) assert.equal(text.includes(`  ${name} `), name.startsWith('merchant '), name);
    for (const words of [
      ['merchant', '--help'],
      ['help', 'merchant'],
    ])
      assert.equal(await printed(...words), text);
  });

  test('--version and -v print the version alone', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const option of ['--version', '-v']) assert.equal(await printed(option), `${version}\n`);
  });
});

describe('mistakes', options, () => {
  const meant: readonly (readonly [typed: string, meant: string])[] = [
    ['marchant create', 'Did you mean kassa merchant create?'],
    ['merchant craete', 'Did you mean kassa merchant create?'],
    ['merchants', 'Did you mean kassa merchant?'],
    ['keys lst', 'Did you mean kassa key list?'],
    ['Verify', 'Did you mean kassa verify?'],
    ['start', 'Did you mean kassa serve?'],
    ['merchant sing', 'kassa merchant lists its commands.'],
    ['sing', 'kassa --help lists the commands.'],
    ['bank bok', 'Did you mean kassa bank book?'],
    ['bank start', 'kassa bank takes no subcommand of that name; see kassa help bank.'],
    ['help verfy', 'Did you mean kassa verify?'],
  ];
  for (const [typed, hint] of meant) {
    test(`${typed}: ${hint}`, async () => {
      const said = await refused(...typed.split(' '));
      assert.match(said, /^kassa: Unknown command [\w ]+\. [^\n]+\n$/);
      assert.ok(said.endsWith(` ${hint}\n`), said);
    });
  }

  const wrong: readonly (readonly [typed: string, first: string])[] = [
    ['merchant create --nmae x', 'Unknown option --nmae; did you mean --name?'],
    ['verify --quiet', 'Unknown option --quiet.'],
    ['verify -x', 'Unknown option -x.'],
    ['merchant create --name', '--name needs a value: --name NAME.'],
    ['merchant create --name --json', '--name needs a value: --name NAME.'],
    ['merchant list --json=yes', '--json takes no value.'],
    ['key create', 'MERCHANT is missing.'],
    ['payment list 640154486', 'Unexpected argument 640154486.'],
    ['payment list charged', 'Unexpected argument charged; did you mean --state charged?'],
    ['key revoke', 'KEY is missing.'],
    ['erase', 'PAYMENT is missing.'],
    ['merchant show 123456789 987654321', 'Unexpected argument 987654321.'],
    ['serve now', 'Unexpected argument now.'],
    ['serve --host ::', 'Unknown option --host. Set HOST in the environment.'],
    ['serve --port', '--port needs a value: --port PORT.'],
    ['verify --data-dir=x', 'Unknown option --data-dir. Set KASSA_DATA_DIR in the environment.'],
    ['reconcile bank', 'Unexpected argument bank; did you mean --acquirer bank?'],
    ['merchant create My shop', 'Unexpected argument My shop; did you mean --name "My shop"?'],
  ];
  for (const [typed, first] of wrong) {
    test(`${typed}: ${first}`, async () => {
      const [said, usage, ...rest] = (await refused(...typed.split(' '))).split('\n');
      assert.equal(said, `kassa: ${first}`);
      assert.match(usage ?? '', /^Usage: kassa /);
      assert.deepEqual(rest, ['']);
    });
  }

  test('a port that is none is refused', async () => {
    const said = 'kassa: --port is 80000; it must be a number from 0 to 65535.\n';
    assert.equal(await refused('serve', '--port', '80000'), said);
  });

  test('an option without a command is refused', async () => {
    assert.equal(await refused('--json'), 'kassa: Unknown option --json. kassa --help lists the commands.\n');
  });

  test('an unknown KASSA_ name stops every command with one sentence, and none of the help', async () => {
    const env = { KASSA_LOGLEVEL: 'debug' };
    for (const name of ['serve', 'merchant list']) {
      const { code, out, err } = await runCommand(name.split(' '), { env });
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.equal(err, 'kassa: Unknown setting KASSA_LOGLEVEL; did you mean KASSA_LOG_LEVEL?\n');
    }
    assert.equal((await runCommand(['help'], { env })).code, 0);
    const { err } = await runCommand(['serve'], { env: { KASSA_COLOUR: 'red' } });
    assert.match(err, /^kassa: Unknown setting KASSA_COLOUR; the settings are [A-Z_, ]+KASSA_LOG_LEVEL\.\n$/);
  });

  // Goal: `kassa … | head` is no fault. Method: a reader that is gone before anything is written.
  test('a reader who stops reading is no fault', async () => {
    const program = ['bash', '--norc', '-o', 'pipefail', '-c'] as const;
    const { code, err } = await runKassa([`"${process.execPath}" bin/kassa.js help serve | true`], { program });
    assert.deepEqual({ code, err }, { code: 0, err: '' });
  });
});
