// Secrets that a command is given: out of a file, or out of what is piped in. Never out of the arguments, which
// everybody on the machine can see, and which shells keep.
import { open } from 'node:fs/promises';
import { UserError } from '../../ops/user-error.ts';

/** Names what is piped in. */
const PIPED = '-';
// A key and the end of its line; whatever is longer is none.
const LONGEST_SOURCE_BYTES = 4_096;

async function readFile(path: string, option: string): Promise<string> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_SOURCE_BYTES + 1));
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new UserError(`--${option} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** As much of the input as is needed: its end, or so many lines. */
async function readPiped(lines: number): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.length > LONGEST_SOURCE_BYTES || text.split('\n').length > lines) break;
  }
  return text;
}

/**
 * What the options name, in the order of their names; undefined for one that is not given. Of several that name the input,
 * each has a line of it.
 */
export async function readSecrets<Name extends string>(
  sources: Readonly<Record<Name, string | undefined>>,
): Promise<Record<Name, string | undefined>> {
  const names = Object.keys(sources) as Name[];
  const piped = names.filter((name) => sources[name] === PIPED);
  const lines = piped.length === 0 ? [] : (await readPiped(piped.length)).split('\n');
  const found = {} as Record<Name, string | undefined>;
  for (const name of names) {
    const source = sources[name];
    if (source === undefined) found[name] = undefined;
    else found[name] = (source === PIPED ? (lines.shift() ?? '') : await readFile(source, name)).trim();
  }
  return found;
}
