// Reads request bodies: any JSON media type or none, one JSON value in UTF-8, with bounded nesting. Also computes the
// digest that compares two requests with one idempotency key.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField, BadRequest } from './problem.ts';

export const LARGEST_BODY_BYTES = 1_048_576;
// Reading, checking and deciding on bodies larger than this takes milliseconds each.
const LARGE_BODY_BYTES = 65_536;
/** This much of the body's text is kept for the request log, which shows only a short part. */
export const LARGEST_READ = 65_536;

// Our deepest request has seven levels. Without a limit, a megabyte of brackets would overflow the stack of any function
// that walks the value.
const DEEPEST = 32;

// Clients generated from the API's old description send a literal application/*+json.
const JSON_MEDIA_TYPE = /^(?:application|text)\/(?:[\w.*+-]+\+)?json$/i;
// A content type that is safe to repeat in a response: too short for a card number or a key.
const PLAIN_TYPE = /^[a-z]{1,20}\/[a-z.+-]{1,60}(?:; ?charset="?[\w-]{1,12}"?)?$/i;

export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Throws unless the header names a JSON media type, or is missing. */
function requireJson(contentType: string | undefined): void {
  if (contentType === undefined) return;
  const [type = '', ...parameters] = contentType.split(';').map((piece) => piece.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const isUnicode = charset === undefined || /^"?(?:utf-?8|us-ascii)"?$/i.test(charset);
  if (!JSON_MEDIA_TYPE.test(type) || !isUnicode)
    throw new NotJson(PLAIN_TYPE.test(contentType) ? contentType : 'not JSON');
}

/** Whether brackets outside of strings are nested deeper than the limit. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'ignore');
  app.removeAllContentTypeParsers();
  // An empty content type counts as none; Fastify would call it malformed.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type'] === '') delete request.headers['content-type'];
    done();
  });
  // The usual type is registered by name too, since Fastify would otherwise parse the header each time; `*` takes the
  // rest.
  app.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    request.bodyBytes = bytes.length;
    try {
      requireJson(request.headers['content-type']);
      if (!isUtf8(bytes)) throw badField('body', 'must be JSON in UTF-8');
      const text = bytes.toString('utf8');
      request.bodyText = bytes.length <= LARGEST_READ ? text : bytes.toString('utf8', 0, LARGEST_READ);
      if (text.trim() === '') return done(null, undefined);
      if (text.length > DEEPEST && isTooDeep(text))
        throw badField('body', `must not be nested deeper than ${DEEPEST} levels`);
      void parse(request, text, (error, body) => {
        if (error) done(badField('body', `must be JSON: ${describeMalformed(text)}`));
        else done(null, body);
      });
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Lets other requests run between the steps of a request with a large body. */
export function yieldIfLarge(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.bodyBytes > LARGE_BODY_BYTES) setImmediate(done);
  else done();
}

/**
 * Fastify's parser does not say what it found, so the text is parsed again. V8 quotes the text around a syntax error,
 * which can hold anything, so only the position is reported.
 */
function describeMalformed(text: string): string {
  try {
    JSON.parse(text);
    return '__proto__ is no name for a field';
  } catch (error) {
    const { message } = error as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return `it breaks at character ${position}`;
    return /end of json/i.test(message) ? 'it ends too early' : 'it is malformed';
  }
}

/** The body, for an operation that requires one. */
export function requireBody(body: unknown): void {
  if (body === undefined || body === null)
    throw new BadRequest([{ field: 'instance', text: 'cannot be null', kind: 'body_missing' }]);
  if (typeof body !== 'object' || Array.isArray(body))
    throw badField('body', `must be an object, found ${Array.isArray(body) ? 'an array' : `a ${typeof body}`}`);
}

/** JSON with sorted object keys, so that equal values give equal texts. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(fields[name])}`).join()}}`;
}

export const digestOf = (body: unknown): string =>
  createHash('sha256')
    .update(body === undefined ? '' : canonical(body))
    .digest('hex');
