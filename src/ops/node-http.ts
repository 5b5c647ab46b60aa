// Node's http module. An ESM import of node:http would also load fetch and WebSocket, which takes a twentieth of the start.
export const { createServer } = process.getBuiltinModule('node:http');
