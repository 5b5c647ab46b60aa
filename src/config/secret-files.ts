// Secrets from files, as provided by Docker, Kubernetes and systemd. Each secret can be set as NAME or as NAME_FILE, and is
// used as NAME from here on. No error message repeats the content of a file.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { BadConfig } from './bad-config.ts';
import { SECRETS, fileNameOf } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

// Far above the longest database address or key, to refuse a large file that was named by mistake.
const MOST_BYTES = 65_536;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'this user is not allowed to read',
  EPERM: 'this user is not allowed to read',
  EISDIR: 'is a folder',
  ELOOP: 'is a link to itself',
};

/** The content of a regular file, up to one byte more than allowed; otherwise the reason why not. */
function readBytes(path: string): Buffer | string {
  // Without O_NONBLOCK, opening a pipe would block.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const kind = fstatSync(file);
    if (kind.isDirectory()) return 'is a folder';
    if (!kind.isFile()) return 'is not a regular file';
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
  if (text.includes('\0') || text.includes('\uFFFD')) throw bad('is not text');
  // Editors and echo add a newline that is not part of the secret.
  const secret = text.replace(/\r?\n$/, '');
  if (secret.trim() === '') throw bad('is empty');
  return secret;
}

/** The environment, with the secrets from files filled in. */
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
