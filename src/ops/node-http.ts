// Node's own http, for what serves. An import of node:http by a module loads all of fetch and WebSocket as well, for names
// that nobody here uses: a twentieth of a start.
export const { createServer } = process.getBuiltinModule('node:http');
