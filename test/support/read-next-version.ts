// Loaded before the program (--import): the folder of its migrations has those of the next version as well.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { NEXT } from './next-version.ts';

const FOLDER = '/src/store/schema/migrations/';
const texts = new Map(NEXT.map(({ number, name, text }) => [`${String(number).padStart(3, '0')}-${name}.sql`, text]));
const { readdirSync, readFileSync } = fs;

Object.assign(fs, {
  readdirSync: (path: fs.PathLike, ...more: []) => {
    const names = readdirSync(path, ...more);
    return String(path).endsWith(FOLDER) ? [...names, ...texts.keys()] : names;
  },
  readFileSync: (path: fs.PathLike, ...more: []) => {
    const [, name = ''] = String(path).split(FOLDER);
    return texts.get(name) ?? readFileSync(path, ...more);
  },
});
syncBuiltinESMExports();
