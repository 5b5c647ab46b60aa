// Node's http module. An ESM import of node:http would also load fetch and WebSocket, which takes a twentieth of the start.
import type { Agent as HttpAgent } from 'node:http';

export const { Agent, createServer, request } = process.getBuiltinModule('node:http');

export type Agent = HttpAgent;
