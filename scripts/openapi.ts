// Writes openapi.json, the description of the API: out of its operations and the schemas that check what is sent to them.
// The service serves the file, and so do tools that have no service at hand. A test fails when it is older than they are.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentOf } from '../src/api/openapi/complete.ts';

// A service that serves it puts its own in this place.
const PUBLIC_URL = 'http://localhost:8080';

const text = `${JSON.stringify(documentOf(PUBLIC_URL), null, 2)}\n`;
await writeFile(join(import.meta.dirname, '..', 'openapi.json'), text);
