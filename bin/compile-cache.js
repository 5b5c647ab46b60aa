// What Node made of the program's files is kept for the next start: a small command takes a third of the time then. It
// lies beside the packages, and not where everybody puts temporary files: others could leave there what we would run.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** On a Node before 22 it does nothing. Where the folder cannot be written, nothing is kept. */
export function keepCompiled() {
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/kassa', import.meta.url)));
}
