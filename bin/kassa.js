#!/usr/bin/env node
// The command `kassa`. It owns one thing: that the program runs on a Node that can read it. The pinned Node of
// node_modules is taken when the machine's own is older than 24, so this folder alone stays plain JavaScript. Then there are
// two processes, and this one stands for both: signals are passed on, the exit code comes back, and neither outlives the
// other, not even after a kill -9.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepCompiled } from './compile-cache.js';
import { NODE_FLAGS } from './node-flags.js';

const OLDEST_MAJOR = 24;
// A release has the program built; a checkout has its sources.
const built = new URL('../dist/main.js', import.meta.url);
const entry = existsSync(built) ? built : new URL('../src/main.ts', import.meta.url);
const isWindows = process.platform === 'win32';

/** Packages lie below this one, or beside it. */
function findInPackage(name, file) {
  const folders = createRequire(import.meta.url).resolve.paths(name);
  return folders.map((folder) => join(folder, name, file)).find((path) => existsSync(path));
}

function runOnPinnedNode() {
  const folder = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const program = isWindows ? 'node.exe' : 'node';
  const pinned = findInPackage(folder, `bin/${program}`);
  if (pinned === undefined) {
    const missing = `kassa: Node ${OLDEST_MAJOR} or later is needed; this is ${process.version}. Install it, or run npm ci.`;
    console.error(missing);
    process.exitCode = 1;
    return;
  }
  const watch = new URL('end-with-wrapper.js', import.meta.url).href;
  const words = [...NODE_FLAGS, '--import', watch, fileURLToPath(entry), ...process.argv.slice(2)];
  const child = spawn(pinned, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`kassa: ${pinned} cannot be run (${error.code}). Install Node ${OLDEST_MAJOR}, or run npm ci.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}

keepCompiled();
if (Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR) await import(entry.href);
else runOnPinnedNode();
