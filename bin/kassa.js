#!/usr/bin/env node
// The command `kassa`. It owns one thing: that the program runs on a Node that can read it. The pinned Node of
// node_modules is taken when the machine's own is older than 24, so this file alone stays plain JavaScript.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const entry = join(root, 'src', 'main.ts');
const major = Number(process.versions.node.split('.')[0]);

if (major >= OLDEST_MAJOR) {
  await import(entry);
} else {
  const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(pinned)) {
    console.error(
      `kassa needs Node ${OLDEST_MAJOR} or later; this is ${process.version}, and the pinned one is missing. Run npm ci in ${root}.`,
    );
    process.exit(1);
  }
  const child = spawn(pinned, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
