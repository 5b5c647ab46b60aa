// Secrets out of files: what Docker, Kubernetes and systemd hand over. Each secret may be given as NAME or as NAME_FILE;
// what is read takes the place of NAME, so nothing else knows the difference. No sentence repeats what is in a file.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BadConfig } from './bad-config.ts';
import { SECRETS, fileNameOf } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

// The longest address of a database or key is far below it; whoever names a log by mistake is told so.
const MOST_BYTES = 65_536;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  EISDIR: 'is a folder',
  ELOOP: 'is a link that leads to itself',
};

/** What a regular file holds, up to one byte more than it may; anything else is a reason in words. */
function readBytes(path: string): Buffer | string {
  // A pipe would otherwise be waited for, by whoever opens it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const kind = fstatSync(file);
    if (kind.isDirectory()) return 'is a folder';
    if (!kind.isFile()) return 'is no ordinary file';
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function readSecret(name: string, path: string): string {
  const bad = (reason: string): BadConfig => new BadConfig(`${name} names ${JSON.stringify(path)}, which ${reason}.`);
  let bytes: Buffer | string;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw bad(REASONS[code] ?? `cannot be read (${code})`);
  }
  if (typeof bytes === 'string') throw bad(bytes);
  if (bytes.length > MOST_BYTES) throw bad(`is larger than ${MOST_BYTES / 1024} KiB`);
  const text = bytes.toString('utf8');
  if (text.includes('\0') || text.includes('\uFFFD')) throw bad('is no text');
  // Editors and echo end a file with a newline, which is no part of a secret.
  const secret = text.replace(/\r?\n$/, '');
  if (secret.trim() === '') throw bad('is empty');
  return secret;
}

/** The environment, with what is in the files that it names. */
export function withSecretFiles(environment: Environment): Environment {
  const read = SECRETS.flatMap((name) => {
    const fileName = fileNameOf(name);
    const path = environment[fileName];
    if (!path) return [];
    if (environment[name]) throw new BadConfig(`${name} and ${fileName} are both set; set one of them.`);
    return [[name, readSecret(fileName, path)] as const];
  });
  return { ...environment, ...Object.fromEntries(read) };
}
