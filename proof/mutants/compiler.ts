// The compiler that stays open: it knows the syntax trees of all files, and looks at a file that was changed without
// reading the others again, which a compiler that is started for each defect would do for seconds.
import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import type { SourceFile } from 'typescript/unstable/ast';

export class Compiler {
  readonly #api: API;
  readonly #config: string;
  readonly #folder: string;
  #snapshot;

  constructor(folder: string) {
    this.#folder = folder;
    this.#config = join(folder, 'tsconfig.json');
    this.#api = new API({ cwd: folder });
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [this.#config] });
  }

  get #program() {
    const project = this.#snapshot.getProject(this.#config);
    if (project === undefined) throw new Error(`the compiler does not find ${this.#config}`);
    return project.program;
  }

  /** The syntax tree of a file, named from the folder. */
  parse(file: string): SourceFile {
    const found = this.#program.getSourceFile(join(this.#folder, file));
    if (found === undefined) throw new Error(`the compiler does not know ${file}`);
    return found;
  }

  /** These files were written. */
  update(files: readonly string[]): void {
    const changed = files.map((file) => join(this.#folder, file));
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot({ fileChanges: { changed } });
    before.dispose();
  }

  /** What the compiler has against this file. */
  complaintsAbout(file: string): string[] {
    const path = join(this.#folder, file);
    const found = [...this.#program.getSyntacticDiagnostics(path), ...this.#program.getSemanticDiagnostics(path)];
    return found.map(({ code, text }) => `TS${code} ${text}`);
  }

  close(): void {
    this.#api.close();
  }
}
