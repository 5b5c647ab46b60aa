// Formats log lines for a terminal: the time of day, the message and its fields, short enough to read live. The JSON lines
// have the rest.

type Entry = Readonly<Record<string, unknown>>;
type LoggedError = { readonly message?: string; readonly stack?: string };

const ERROR = 50;
const WARN = 40;
const MARKS: readonly (readonly [from: number, mark: string])[] = [
  [ERROR, 'ERROR  '],
  [WARN, 'WARN  '],
];

// Left out: the banner shows the important settings, and the response the request id.
const LEFT_OUT = new Set(['level', 'time', 'msg', 'err', 'settings', 'reqId', 'pid', 'hostname']);

const isObject = (value: unknown): value is Entry => typeof value === 'object' && value !== null;

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return typeof value === 'string' && /[\s"=]|^$/.test(value) ? JSON.stringify(value) : text;
}

/** name=value, and name.inner=value one level down. */
const particularsOf = (entry: Entry, prefix = ''): string[] =>
  Object.entries(entry).flatMap(([name, value]) => {
    if (value === undefined || value === null || (prefix === '' && LEFT_OUT.has(name))) return [];
    if (prefix === '' && isObject(value) && !Array.isArray(value)) return particularsOf(value, `${name}.`);
    return [`${prefix}${name}=${showValue(value)}`];
  });

function showRequest(entry: Entry): string {
  const [status, method, route, ms] = ['status', 'method', 'route', 'ms'].map((name) => showValue(entry[name]));
  const whose = entry['merchant'] === undefined ? '' : `  merchant ${showValue(entry['merchant'])}`;
  return `${status}  ${method} ${route}  ${ms} ms${whose}`;
}

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '          ');

/** Formats one JSON entry; other lines are left as they are. */
export function textOfEntry(line: string): string {
  let entry: Entry;
  try {
    entry = JSON.parse(line) as Entry;
  } catch {
    return line;
  }
  const { level, time, msg, err } = entry as { level: number; time: string; msg?: string; err?: LoggedError };
  const mark = MARKS.find(([from]) => level >= from)?.[1] ?? '';
  const what =
    msg === 'request'
      ? showRequest(entry)
      : [msg ?? '', ...particularsOf(entry)].filter((part) => part !== '').join('  ');
  const why = err?.message === undefined ? '' : `: ${err.message}`;
  // Stack traces are only for defects.
  const stack = level >= ERROR && err?.stack !== undefined ? `\n${indent(err.stack)}` : '';
  return `${time.slice(11, 19)}  ${mark}${what}${why}${stack}\n`;
}
