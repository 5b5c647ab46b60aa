// The banner beyond what the tests of the start see: the address it names for each HOST.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localUrlOf } from './banner.ts';

test('the address is localhost where that is meant, and the host itself elsewhere', () => {
  const urls: readonly (readonly [host: string, url: string])[] = [
    ['127.0.0.1', 'http://localhost:8080'],
    ['::1', 'http://localhost:8080'],
    ['0.0.0.0', 'http://localhost:8080'],
    ['::', 'http://localhost:8080'],
    ['localhost', 'http://localhost:8080'],
    ['192.0.2.7', 'http://192.0.2.7:8080'],
    ['2001:db8::7', 'http://[2001:db8::7]:8080'],
    ['kassa.example', 'http://kassa.example:8080'],
  ];
  for (const [host, url] of urls) assert.equal(localUrlOf(host, 8080), url);
});
