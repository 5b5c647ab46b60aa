// Which processes a process has started, as the kernel tells it.
import { readdirSync, readFileSync } from 'node:fs';

/** The fourth field of /proc/PID/stat, counted from behind the program's name, which may hold anything. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((child) => parentOf(child) === pid);
}

/** Also one that has ended and that nobody has waited for counts as gone. */
export function isGone(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
