// Node's own http, for whoever asks or serves. An import of node:http by a module loads all of fetch and WebSocket as well,
// for names that nobody here uses: a twentieth of a start.
import type { Agent as HttpAgent } from 'node:http';

export const { Agent, createServer, request } = process.getBuiltinModule('node:http');

export type Agent = HttpAgent;
