// The loggers of requests, which are most of the cost of logging. Each request leaves one line, built here in a third of
// the time that pino takes. A logger with the request's id is only created when something else is logged.
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { isoTime } from '../domain/time.ts';

const bindingsOf: typeof pino.symbols.chindingsSym = pino.symbols.chindingsSym;
const streamOf: typeof pino.symbols.streamSym = pino.symbols.streamSym;

type Inside = FastifyBaseLogger & {
  /** The beginning of each of its lines. */
  readonly [bindingsOf]: string;
  readonly [streamOf]: { write(line: string): void };
  readonly levelVal: number;
};
type Bindings = Readonly<Record<string, unknown>>;
type OfRequest = Inside & { own: Bindings };

const LEVELS = pino.levels.values as Readonly<Record<'debug' | 'info', number>>;

/** `,"name":value` for each, in pino's format for the bindings of a child. */
const showBindings = (bindings: Bindings): string =>
  Object.entries(bindings).reduce((text, [name, value]) => `${text},"${name}":${JSON.stringify(value)}`, '');

/** Gives requests loggers that cost nothing until they are used. */
export function lightenLoggers(app: FastifyInstance): void {
  const parent = app.log as Inside;
  const makeChild = parent.child.bind(parent);
  const common = Object.create(parent, {
    [bindingsOf]: {
      get(this: OfRequest) {
        return parent[bindingsOf] + showBindings(this.own);
      },
    },
    child: {
      value(this: OfRequest, ...[more, options]: Parameters<typeof makeChild>) {
        return makeChild({ ...this.own, ...more }, options);
      },
    },
  }) as OfRequest;
  // oxlint-disable-next-line typescript/unbound-method -- called with the logger whose child it makes
  const { child } = parent;
  parent.child = function makeLight(this: FastifyBaseLogger, bindings, options) {
    if (this !== parent || (options !== undefined && Object.keys(options).length > 0))
      return child.call(this, bindings, options);
    const logger = Object.create(common) as OfRequest;
    logger.own = bindings;
    return logger;
  };
}

/** Writes the line of a completed request. */
export function requestLines(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const log = app.log as Inside;
  return (request, reply) => {
    const isProbe = request.merchant === null && reply.statusCode < 400;
    const level = isProbe ? LEVELS.debug : LEVELS.info;
    if (level < log.levelVal) return;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const whose = request.merchant === null ? '' : `,"merchant":${request.merchant.id}`;
    const route = JSON.stringify(request.routeOptions.url ?? 'unknown');
    const what = `"method":"${request.method}","route":${route},"status":${reply.statusCode},"ms":${ms}${whose}`;
    const line = `{"level":${level},"time":"${isoTime(Date.now())}"${log[bindingsOf]},"reqId":${JSON.stringify(request.id)}`;
    log[streamOf].write(`${line},${what},"msg":"request"}\n`);
  };
}
