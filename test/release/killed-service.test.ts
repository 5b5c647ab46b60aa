// Goal: a service that is killed while it writes loses nothing that it has acknowledged, does nothing twice, and its
// successor goes on. Method: kill -9 in the middle of 2,000 writes, twice, each time a new service on the same
// database; writers with a journal, most of them with keys, some without.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyBooks } from '../../src/store/books/verify.ts';
import { spawnService } from '../support/service.ts';
import type { SpawnedService } from '../support/service.ts';
import { Writers, WRITES_OF_A_LIFE } from '../support/writers.ts';

const WRITES = 2_000;
const KILLS_AFTER = [500, 1_300];

describe('killed service', () => {
  let service: SpawnedService;
  let secretKey: string;
  before(async () => {
    service = await spawnService();
    ({ secretKey } = await service.openShop());
  });
  after(() => service.stop());

  test('kill -9 in the middle of 2,000 writes loses no acknowledged one, and doubles none', async () => {
    const writers = new Writers({ clientFor: () => service.client(secretKey), unkeyedEvery: 4 });
    // Lives that are given up are shorter, so a few more are led than would be needed.
    const writing = writers.write(WRITES / WRITES_OF_A_LIFE + 20, 16);
    for (const acknowledged of KILLS_AFTER) {
      await writers.reached(acknowledged);
      await service.kill();
      service = await spawnService({ databaseUrl: service.databaseUrl });
    }
    await writing;
    assert.ok(writers.acknowledged >= WRITES, String(writers.acknowledged));
    assert.ok(writers.sentAgain > 0, 'no kill hit a request');
    await writers.check(service.client(secretKey));
    const { counts, differences } = await verifyBooks(service.pool);
    assert.deepEqual(differences, []);
    assert.equal(counts.pending, 0);
  });
});
