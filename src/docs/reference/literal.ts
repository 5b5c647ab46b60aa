// Values as code: JSON, and literals of the languages that requests are shown in. Short values are on one line.

type Spelling = {
  readonly object: readonly [open: string, close: string];
  readonly array: readonly [open: string, close: string];
  readonly indent: string;
  readonly key: (name: string) => string;
  readonly scalar: (value: unknown) => string;
  /** For languages in which an empty object would become an empty array. */
  readonly empty?: string;
};

/** A string in single quotes, in which only these two characters are special. */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
const JSON_SCALAR = (value: unknown): string => JSON.stringify(value);
const PYTHON_WORDS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const SPELLINGS = {
  json: {
    object: ['{', '}'],
    array: ['[', ']'],
    indent: '  ',
    key: (name) => `${JSON.stringify(name)}: `,
    scalar: JSON_SCALAR,
  },
  typescript: {
    object: ['{', '}'],
    array: ['[', ']'],
    indent: '  ',
    key: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)}: `,
    // A string with a line break is spelled as in JSON.
    scalar: (value) => (typeof value === 'string' && !/[\n\r]/.test(value) ? quoted(value) : JSON_SCALAR(value)),
  },
  php: {
    object: ['[', ']'],
    array: ['[', ']'],
    indent: '    ',
    key: (name) => `${quoted(name)} => `,
    scalar: (value) => (typeof value === 'string' ? quoted(value) : JSON_SCALAR(value)),
    empty: 'new stdClass()',
  },
  python: {
    object: ['{', '}'],
    array: ['[', ']'],
    indent: '    ',
    key: (name) => `${JSON.stringify(name)}: `,
    scalar: (value) => PYTHON_WORDS.get(value) ?? JSON_SCALAR(value),
  },
} as const satisfies Record<string, Spelling>;

// Fits into a narrow column.
const WIDTH = 44;

/** `indent`: of the line on which it begins. */
export function literalOf(language: keyof typeof SPELLINGS, value: unknown, indent = ''): string {
  const spelling: Spelling = SPELLINGS[language];
  if (typeof value !== 'object' || value === null) return spelling.scalar(value);
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? spelling.array : spelling.object;
  const parts = (pad: string): string[] =>
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([name, field]) => `${isArray ? '' : spelling.key(name)}${literalOf(language, field, pad)}`);
  const line = parts('').join(', ');
  if (line === '' && !isArray && spelling.empty !== undefined) return spelling.empty;
  const gap = open !== '{' || line === '' ? '' : ' ';
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return `${open}${gap}${line}${gap}${close}`;
  const inner = `${indent}${spelling.indent}`;
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}\n${indent}${close}`;
}

/** Indented JSON. */
export const jsonOf = (value: unknown, indent = ''): string => literalOf('json', value, indent);
