// What an expression of Prometheus names: metrics with the labels that they are chosen by, and labels that it groups by. It
// reads words and marks, not meanings; whatever it does not know is refused, so that nothing is passed over.

export type Matcher = { readonly label: string; readonly operator: string; readonly value: string };
export type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] };
export type Named = {
  readonly selectors: readonly Selector[];
  /** Each list of labels after `by`, which are the only ones left then. */
  readonly groupings: readonly (readonly string[])[];
  /** Whether something is added up without a list, so that no label is left. */
  readonly isOneFigure: boolean;
};

const WORD = String.raw`(?<word>[a-zA-Z_:][\w:]*)`;
const TEXT = String.raw`(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`;
const NUMBER = String.raw`(?<number>\d[\w.]*)`;
const RANGE = String.raw`(?<range>\[[^\]]*\])`;
const MARK = '(?<mark>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){},])';
const TOKEN = new RegExp(String.raw`\s+|${WORD}|${TEXT}|${NUMBER}|${RANGE}|${MARK}`, 'y');
const AGGREGATORS = new Set(['sum', 'max', 'min', 'avg', 'count']);
const KEEPING = new Set(['topk', 'bottomk']);
const FUNCTIONS = new Set([
  'absent',
  'changes',
  'delta',
  'histogram_quantile',
  'increase',
  'max_over_time',
  'min_over_time',
  'predict_linear',
  'rate',
  'time',
  'vector',
]);
const OPERATORS = new Set(['and', 'or', 'unless', 'offset', 'bool']);

type Token = { readonly kind: 'word' | 'text' | 'number' | 'range' | 'mark'; readonly text: string };

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(expression)?.groups;
    if (groups === undefined) throw new Error(`cannot be read from here on: ${expression.slice(at)}`);
    for (const [kind, text] of Object.entries(groups))
      if (text !== undefined) tokens.push({ kind: kind as Token['kind'], text });
  }
  return tokens;
}

export function namedIn(expression: string): Named {
  const tokens = tokensOf(expression);
  let at = 0;
  const peek = (): string | undefined => tokens[at]?.text;
  const take = (wanted?: string): string => {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token.text !== wanted))
      throw new Error(`${wanted ?? 'more'} was expected and ${token?.text ?? 'the end'} is there: ${expression}`);
    at += 1;
    return token.text;
  };
  const takeLabels = (): string[] => {
    const labels: string[] = [];
    take('(');
    while (peek() !== ')') {
      labels.push(take());
      if (peek() === ',') take();
    }
    take(')');
    return labels;
  };
  const takeMatchers = (): Matcher[] => {
    const matchers: Matcher[] = [];
    if (peek() !== '{') return matchers;
    take('{');
    while (peek() !== '}') {
      matchers.push({ label: take(), operator: take(), value: take().slice(1, -1) });
      if (peek() === ',') take();
    }
    take('}');
    return matchers;
  };
  const selectors: Selector[] = [];
  const groupings: string[][] = [];
  let isOneFigure = false;
  while (at < tokens.length) {
    const isWord = tokens[at]?.kind === 'word';
    const text = take();
    if (!isWord || OPERATORS.has(text)) continue;
    if (AGGREGATORS.has(text) || KEEPING.has(text)) {
      if (peek() === 'by') {
        take();
        groupings.push(takeLabels());
      } else isOneFigure ||= AGGREGATORS.has(text);
    } else if (peek() === '(') {
      if (!FUNCTIONS.has(text)) throw new Error(`${text} is no function that is known here: ${expression}`);
    } else selectors.push({ metric: text, matchers: takeMatchers() });
  }
  return { selectors, groupings, isOneFigure };
}
