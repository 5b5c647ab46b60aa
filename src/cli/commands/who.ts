// The actor of a command in the audit: the user of this machine. It tells colleagues apart, but proves nothing: anyone who
// can reach the database can claim any name.
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../domain/audit.ts';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, a user may have only a number.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

export function whoAsks(): Actor {
  const name = `${userName()}@${hostname()}`;
  return { kind: 'cli', id: name, name };
}
