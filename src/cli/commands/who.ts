// Who is at the command line, for the audit: the user of this machine. Anybody who can reach the database can say so of
// themselves; it tells colleagues apart, and keeps nobody out.
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../domain/audit.ts';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have a number and no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

export function whoAsks(): Actor {
  const name = `${userName()}@${hostname()}`;
  return { kind: 'cli', id: name, name };
}
