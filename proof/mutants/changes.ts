// The places of a file where a small defect can be planted, found in its syntax tree. Types, comments, imports, and what
// is said to people or to the log are left alone: a defect there is none of the program's.
import { SyntaxKind } from 'typescript/unstable/ast';
import type { BinaryExpression, Expression, Node, SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { merchantChecksOf } from './merchant-checks.ts';
import type { Change } from './mutant.ts';

const OPERATORS = new Map(
  [
    ['<', '<='],
    ['<=', '<'],
    ['>', '>='],
    ['>=', '>'],
    ['===', '!=='],
    ['!==', '==='],
    ['&&', '||'],
    ['||', '&&'],
    ['+', '-'],
    ['-', '+'],
    ['*', '/'],
    ['/', '*'],
    ['+=', '-='],
    ['-=', '+='],
  ].map(([one, other]) => [one as string, other as string]),
);
// A constant of ten times its value is another limit; a number in the middle of things is off by one.
const TIMES = 10n;
const LARGE = 1_000n;
// What people read: more than one word, or one with a capital.
const WORDS = /\s|^['"`]\p{Lu}\p{Ll}/u;
// Larger pairs of fields are functions and schemas, and no slip of the pen.
const LONGEST_PAIR = 300;

// Beside what is said: the places where tests hold or kill a process, and what only lets a process end sooner.
const SAYING = [
  'log',
  'logger',
  'console',
  String.raw`print\w*`,
  'tell',
  'notify',
  'describe',
  'onProgress',
  'checkpoint',
];
const SAID = new RegExp(String.raw`\b(?:${SAYING.join('|')}|clearTimeout|clearInterval)\b(?:\.\w+)?$|Error$|\.unref$`);
const SAID_FIELDS = new Set(['description', 'summary', 'example', 'examples', 'help', 'usage', 'title']);
// How one merchant is told from another.
const MERCHANT_ID = /\bmerchant_?id\b|\bmerchant\.id\b/i;

/** What says something to somebody: its texts and the numbers in them decide nothing. */
function isSaying(node: Node, textOf: (node: Node) => string): boolean {
  if (is.isExpressionStatement(node) || is.isAwaitExpression(node)) return isSaying(node.expression, textOf);
  if (is.isPropertyAssignment(node)) return SAID_FIELDS.has(textOf(node.name));
  return (is.isCallExpression(node) || is.isNewExpression(node)) && SAID.test(textOf(node.expression));
}

const isText = (node: Node): boolean =>
  is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node) || is.isTemplateExpression(node);

const isEqualsNot = (node: Expression): boolean =>
  is.isBinaryExpression(node) && /^[!=]==$/.test(OPERATORS_BY_KIND.get(node.operatorToken.kind) ?? '');

const OPERATORS_BY_KIND = new Map<SyntaxKind, string>([
  [SyntaxKind.EqualsEqualsEqualsToken, '==='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '!=='],
]);

/** `if (…) return …`, `if (…) throw …`: a refusal, or another way out. */
function isWayOut(node: Node): boolean {
  if (!is.isIfStatement(node) || node.elseStatement !== undefined) return false;
  const { thenStatement: then } = node;
  const only = is.isBlock(then) && then.statements.length === 1 ? then.statements[0] : then;
  return only !== undefined && (is.isReturnStatement(only) || is.isThrowStatement(only));
}

type Field = { readonly name: string; readonly value: string };

function fieldOf(node: Node, textOf: (node: Node) => string): Field | undefined {
  if (is.isShorthandPropertyAssignment(node)) return { name: textOf(node.name), value: textOf(node.name) };
  if (is.isPropertyAssignment(node) && is.isIdentifier(node.name)) {
    const value = textOf(node.initializer);
    return SAID_FIELDS.has(textOf(node.name)) || (isText(node.initializer) && WORDS.test(value))
      ? undefined
      : { name: textOf(node.name), value };
  }
  if (!is.isBindingElement(node)) return undefined;
  const { name, propertyName, initializer, dotDotDotToken } = node;
  if (name === undefined || initializer !== undefined || dotDotDotToken !== undefined) return undefined;
  return { name: textOf(propertyName ?? name), value: textOf(name) };
}

export function changesOf(sourceFile: SourceFile): Change[] {
  const { text } = sourceFile;
  const found: Change[] = [];
  const startOf = (node: Node): number => node.getStart(sourceFile);
  const textOf = (node: Node): string => text.slice(startOf(node), node.end);
  const put = (kind: Change['kind'], node: Node, after: string): void =>
    void found.push({ kind, start: startOf(node), end: node.end, after });

  const putNumbers = (node: Node, parent: Node): void => {
    const [, digits, mark] = /^([\d_]+)(n?)$/.exec(textOf(node)) ?? [];
    if (digits === undefined) return;
    const value = BigInt(digits.replaceAll('_', ''));
    if (value >= LARGE || (is.isVariableDeclaration(parent) && value > 1n))
      return put('bound', node, `${value * TIMES}${mark}`);
    put('bound', node, `${value + 1n}${mark}`);
    if (value > 0n) put('bound', node, `${value - 1n}${mark}`);
  };

  const putBinary = (node: BinaryExpression): void => {
    const operator = textOf(node.operatorToken);
    const other = OPERATORS.get(operator);
    // Texts are joined, and not added.
    const isJoining = operator.startsWith('+') && (isText(node.left) || isText(node.right));
    if (other !== undefined && !isJoining) put('operator', node.operatorToken, other);
    if (operator !== '&&') return;
    for (const [side, rest] of [[node.left, node.right] as const, [node.right, node.left] as const])
      if (isEqualsNot(side) && MERCHANT_ID.test(textOf(side))) put('merchant', node, textOf(rest));
  };

  const putNegated = (condition: Expression): void => {
    if (isEqualsNot(condition)) return;
    const said = textOf(condition);
    put('negated', condition, /^![\w.]+$/.test(said) ? said.slice(1) : `!(${said})`);
  };

  const putSwaps = (fields: readonly Node[]): void => {
    for (const [index, node] of fields.entries()) {
      const next = fields[index + 1];
      const [one, other] = [fieldOf(node, textOf), next && fieldOf(next, textOf)];
      if (next === undefined || one === undefined || other === undefined || one.value === other.value) continue;
      if (next.end - startOf(node) > LONGEST_PAIR) continue;
      const between = text.slice(node.end, startOf(next));
      const after = `${other.name}: ${one.value}${between}${one.name}: ${other.value}`;
      found.push({ kind: 'field', start: startOf(node), end: next.end, after });
    }
  };

  const visit = (node: Node, parent: Node): void => {
    if (is.isTypeNode(node) || is.isTypeAliasDeclaration(node) || is.isInterfaceDeclaration(node)) return;
    if (is.isImportDeclaration(node) || is.isExportDeclaration(node) || isSaying(node, textOf)) return;
    if (is.isNumericLiteral(node) || is.isBigIntLiteral(node)) putNumbers(node, parent);
    if (is.isBinaryExpression(node)) putBinary(node);
    if (is.isIfStatement(node) || is.isWhileStatement(node)) putNegated(node.expression);
    if (is.isConditionalExpression(node)) putNegated(node.condition);
    if (is.isObjectLiteralExpression(node)) putSwaps([...node.properties]);
    if (is.isObjectBindingPattern(node)) putSwaps([...node.elements]);
    if (is.isAwaitExpression(node) && !is.isReturnStatement(parent)) {
      // What nobody waits for and nobody marks is refused by the lint.
      put('await', node, `${is.isExpressionStatement(parent) ? 'void ' : ''}${textOf(node.expression)}`);
    }
    if (is.isBlock(parent) && isWayOut(node) && is.isIfStatement(node))
      put(MERCHANT_ID.test(textOf(node.expression)) ? 'merchant' : 'removed', node, '');
    if (is.isBlock(parent) && is.isExpressionStatement(node)) put('removed', node, '');
    if (isText(node)) found.push(...merchantChecksOf(text, startOf(node), node.end));
    node.forEachChild((child) => visit(child, node));
  };
  sourceFile.forEachChild((child) => visit(child, sourceFile));
  return found;
}
