// The files of the project as the style test reads them. A rule about code must not trip over a word in a comment or a
// string, and a rule about comments must not trip over code, so every file comes in three views of equal length and
// equal lines: the text, the code alone, the comments alone. What a view leaves out is blank.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Source = {
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly comments: string;
};

export type Finding = { readonly path: string; readonly line: number; readonly advice: string };

export const root = dirname(dirname(import.meta.dirname));

const FOLDERS = new Set([
  'src',
  'client',
  'testing',
  'examples',
  'test',
  'proof',
  'scripts',
  'bin',
  'web',
  'docs',
  'deploy',
  'texts',
  '.ci',
]);
const READABLE = /\.(?:ts|js|sql|md|json|css|html|sh|yml|yaml)$|^\.ci\/run$/;
const LEFT_OUT = new Set(['node_modules', '.kassa', 'fixtures', 'generated', 'package-lock.json']);

export function listPaths(): string[] {
  const top = readdirSync(root, { withFileTypes: true });
  const files = top.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const folders = top.filter((entry) => entry.isDirectory() && FOLDERS.has(entry.name));
  return [...files, ...folders.flatMap((folder) => walk(folder.name))].filter((path) => !LEFT_OUT.has(path));
}

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(path) : [path];
  });
}

let sources: readonly Source[] | undefined;

/** Read once for all tests of style, which run in one process. */
export const readSources = (): readonly Source[] => (sources ??= readAll());

function readAll(): Source[] {
  return listPaths()
    .filter((path) => READABLE.test(path))
    .map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8')));
}

export function sourceOf(path: string, text: string): Source {
  // Outside of TypeScript and JavaScript nothing is told apart: every word of a .md or .sql file counts.
  if (!/\.[tj]s$/.test(path)) return { path, text, code: text, comments: text };
  return { path, text, ...separate(text) };
}

export function find(source: Source, view: 'text' | 'code' | 'comments', pattern: RegExp, advice: string): Finding[] {
  const global = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  return Array.from(source[view].matchAll(global), (match) => ({
    path: source.path,
    line: lineAt(source.text, match.index + match[0].search(/\S/)),
    advice,
  }));
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split('\n').length;
}

export function describeFinding({ path, line, advice }: Finding): string {
  return `${path}:${line} ${advice}`;
}

/** Fails with the complaints alone: where the test stands is of no use to somebody who has to repair a file. */
export function expectNone(complaints: readonly string[]): void {
  if (complaints.length === 0) return;
  const error = new Error(`\n${complaints.join('\n')}\n`);
  error.stack = error.message;
  throw error;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const REGEX = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
// A slash divides after a value and opens a regular expression after anything else.
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield|void|throw|else|do))\s*$/;

function separate(text: string): { code: string; comments: string } {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  let code = '';
  let comments = '';
  let at = 0;
  const take = (length: number, kind: 'code' | 'comment' | 'content') => {
    const part = text.slice(at, at + length);
    code += kind === 'code' ? part : blank(part);
    comments += kind === 'comment' ? part : blank(part);
    at += length;
  };
  const lengthOf = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  // How many braces are open in each `${…}` that we are inside of.
  const open: number[] = [];
  const takeTemplate = () => {
    take(lengthOf(TEMPLATE_PART), 'content');
    if (text.startsWith('${', at)) {
      open.push(0);
      take(2, 'code');
    } else take(1, 'code');
  };
  while (at < text.length) {
    const character = text[at];
    const comment = lengthOf(COMMENT);
    const quoted = lengthOf(QUOTED);
    const inner = open.length - 1;
    if (comment > 0) take(comment, 'comment');
    else if (quoted > 0) {
      take(1, 'code');
      take(quoted - 2, 'content');
      take(1, 'code');
    } else if (character === '`') {
      take(1, 'code');
      takeTemplate();
    } else if (character === '}' && open[inner] === 0) {
      open.pop();
      take(1, 'code');
      takeTemplate();
    } else if (character === '/' && lengthOf(REGEX) > 0 && BEFORE_REGEX.test(code.slice(-200))) {
      take(lengthOf(REGEX), 'content');
    } else {
      if (inner >= 0 && character === '{') open[inner] = (open[inner] ?? 0) + 1;
      if (inner >= 0 && character === '}') open[inner] = (open[inner] ?? 0) - 1;
      take(1, 'code');
    }
  }
  return { code, comments };
}
