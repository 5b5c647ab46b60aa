// A masked body for people: a line for each value. It may be cut, or break off where it was no JSON, so it is laid out sign
// by sign and not parsed.

const STEP = '  ';
const STRING = /"(?:[^"\\]|\\.)*"?/y;

export function layOut(text: string): string {
  let [out, depth] = ['', 0];
  const line = (): string => `\n${STEP.repeat(depth)}`;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') {
      STRING.lastIndex = at;
      const string = STRING.exec(text)?.[0] ?? sign;
      out += string;
      at += string.length - 1;
    } else if (sign === '{' || sign === '[') {
      const isEmpty = text.charAt(at + 1) === (sign === '{' ? '}' : ']');
      depth += 1;
      out += isEmpty ? sign : sign + line();
    } else if (sign === '}' || sign === ']') {
      depth = Math.max(0, depth - 1);
      out += /[{[]$/.test(out) ? sign : line() + sign;
    } else out += sign === ',' ? sign + line() : sign === ':' ? ': ' : sign;
  }
  return out;
}
