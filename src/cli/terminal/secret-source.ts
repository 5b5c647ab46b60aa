// Secrets that a command takes: from a file or from standard input. Never from arguments, which everyone on the machine
// can see and shells keep in their history.
import { open } from 'node:fs/promises';
import { UserError } from '../../ops/user-error.ts';

/** Stands for standard input. */
const PIPED = '-';
// A key and its newline; anything longer is not a key.
const LONGEST_SOURCE_BYTES = 4_096;

async function readFile(path: string, option: string): Promise<string> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_SOURCE_BYTES + 1));
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new UserError(`The file of --${option} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Reads standard input to its end, or until it has the given number of lines. */
async function readPiped(lines: number): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.length > LONGEST_SOURCE_BYTES || text.split('\n').length > lines) break;
  }
  return text;
}

/**
 * The secrets by option; undefined where an option is missing. Several options that read standard input take one line each,
 * in order.
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
