// A request of the API description as code: curl, TypeScript with the typed client, PHP and Python with their standard
// libraries.
import { resolve } from '../../api/openapi/document.ts';
import type { Document, Operation, Parameter } from '../../api/openapi/document.ts';
import { jsonOf, literalOf } from './literal.ts';

export type Asked = {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly body?: unknown;
  /** The sandbox's key, if it may be shown; otherwise the code uses a variable. */
  readonly secretKey?: string;
};

/** {paymentId} → PAYMENT_ID, in the style of shell variables. */
const asVariable = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function filterOf(document: Document, { parameters = [] }: Operation): Parameter | undefined {
  return parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .find((parameter) => parameter.in === 'query');
}

/** The whole URL; `variable` spells the unknown parts. */
function addressOf(document: Document, { path, operation }: Asked, variable: (name: string) => string): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => variable(asVariable(name)));
  const filter = filterOf(document, operation);
  const query = filter ? `?${filter.name}=${encodeURIComponent(String(filter.example))}` : '';
  return `${document.servers[0]?.url ?? ''}${address}${query}`;
}

/** Prints the raw response. */
const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some((response) => 'content' in response && response.content?.['text/event-stream']);

const needsKey = ({ operation }: Asked): boolean => operation.security.length > 0;

/** The body in single quotes, as Unix shells take it. */
function curlOf(document: Document, asked: Asked): string {
  const { method, operation, body, secretKey = '$SECRET_KEY' } = asked;
  const url = `"${addressOf(document, asked, (name) => `$${name}`)}"`;
  // The defaults of curl: GET, and POST with a body.
  const isUsual = method === 'get' || (method === 'post' && body !== undefined);
  const verb = isUsual ? '' : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${isStream(operation) ? '-N ' : ''}${verb}${url}`];
  if (needsKey(asked)) lines.push(`-H "Authorization: ${secretKey}"`);
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d '${jsonOf(body, '  ').replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

function typescriptOf(document: Document, asked: Asked): string {
  const { path, operation, body, secretKey } = asked;
  const url = document.servers[0]?.url ?? '';
  if (!needsKey(asked))
    return `const answer = await fetch('${url}${path}');\nconsole.log(answer.status, await answer.text());`;
  const key = secretKey === undefined ? 'process.env.SECRET_KEY!' : `'${secretKey}'`;
  const filter = filterOf(document, operation);
  const given = body ?? (filter && { [filter.name]: filter.example });
  const ids = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => `process.env.${asVariable(name)}!`);
  const call = `kassa.${operation.operationId}(${[...ids, ...(given === undefined ? [] : [literalOf('typescript', given)])].join(', ')})`;
  const use = isStream(operation)
    ? `for await (const event of ${call}) console.log(event.event);`
    : `const answer = await ${call};\nconsole.log(answer);`;
  return [
    "import { createClient } from 'kassa/client';",
    '',
    `const kassa = createClient({ url: '${url}', secretKey: ${key} });`,
    use,
  ].join('\n');
}

function phpOf(document: Document, asked: Asked): string {
  const { method, operation, body, secretKey } = asked;
  const url = `'${addressOf(document, asked, (name) => `' . getenv('${name}') . '`)}'`.replace(/ \. ''$/, '');
  const key = secretKey === undefined ? "'Authorization: ' . getenv('SECRET_KEY')" : `'Authorization: ${secretKey}'`;
  const headers = [
    ...(needsKey(asked) ? [key] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ];
  const options = [
    ...(method === 'get' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method.toUpperCase()}'`]),
    ...(headers.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [${headers.join(', ')}]`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literalOf('php', body, '    ')})`]),
    ...(isStream(operation) ? [] : ['CURLOPT_RETURNTRANSFER => true']),
  ];
  return [
    '<?php',
    `$request = curl_init(${url});`,
    'curl_setopt_array($request, [',
    ...options.map((option) => `    ${option},`),
    ']);',
    ...(isStream(operation)
      ? ['curl_exec($request);']
      : [
          '$answer = curl_exec($request);',
          "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
        ]),
  ].join('\n');
}

function pythonOf(document: Document, asked: Asked): string {
  const { method, operation, body, secretKey, path } = asked;
  const url = addressOf(document, asked, (name) => `{os.environ['${name}']}`);
  const key = secretKey === undefined ? 'os.environ["SECRET_KEY"]' : `"${secretKey}"`;
  const headers = [
    ...(needsKey(asked) ? [`"Authorization": ${key}`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const usesOs = path.includes('{') || (needsKey(asked) && secretKey === undefined);
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(usesOs ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${path.includes('{') ? 'f' : ''}"${url}",`,
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(', ')}},`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${literalOf('python', body, '    ')}).encode(),`]),
    ...(method === 'get' ? [] : [`    method="${method.toUpperCase()}",`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    isStream(operation)
      ? '    for line in answer:\n        print(line.decode(), end="")'
      : '    print(answer.status, answer.read().decode())',
  ].join('\n');
}

export const LANGUAGES = [
  { id: 'curl', name: 'curl', write: curlOf },
  { id: 'typescript', name: 'TypeScript', write: typescriptOf },
  { id: 'php', name: 'PHP', write: phpOf },
  { id: 'python', name: 'Python', write: pythonOf },
] as const;
