// Reads the --port option of commands that listen.
import { UserError } from '../../ops/user-error.ts';

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UserError(`--port is ${text}; it must be a number from 0 to 65535.`);
  return port;
}
