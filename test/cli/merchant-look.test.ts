// `kassa merchant update --colour --logo`. Method: the command on a database of its own, with files of every kind; what it
// took is read from the database.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findMerchant } from '../../src/store/merchants/merchants.ts';
import { readLogo } from '../../src/store/merchants/merchant-branding.ts';
import { openPool } from '../../src/store/connections/pool.ts';
import type { Pool } from '../../src/store/connections/pool.ts';
import { runCommand } from '../support/commands.ts';
import { cloneDatabase } from '../support/database.ts';
import type { Ran } from '../support/kassa.ts';
import { aPng } from '../support/picture.ts';

let databaseUrl: string;
let pool: Pool;
let folder: string;
let merchantId: number;
before(async () => {
  databaseUrl = await cloneDatabase();
  pool = openPool(databaseUrl, { size: 1 });
  folder = await mkdtemp(join(tmpdir(), 'kassa-look-'));
  const made = await kassa('create', '--name', 'Look', '--json');
  merchantId = (JSON.parse(made.out) as { merchantId: number }).merchantId;
});
after(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

const kassa = (...args: string[]): Promise<Ran> =>
  runCommand(['merchant', ...args], { env: { DATABASE_URL: databaseUrl } });
const update = (...args: string[]): Promise<Ran> => kassa('update', String(merchantId), ...args);

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

/** As far as its size is told: FFD8, a segment that is none of a picture, and the one that begins one. */
const aJpeg = (width: number, height: number): Buffer => {
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), frame]);
};

const kept = async () => {
  const merchant = await findMerchant(pool, merchantId);
  assert.ok(merchant);
  return { colour: merchant.colour, logo: await readLogo(pool, merchant) };
};

test('a colour and a logo are kept, shown, replaced one by one, and taken away', async () => {
  const png = aPng();
  const { code, out } = await update('--colour', '7C2D92', '--logo', await fileOf('logo.png', png));
  assert.equal(code, 0);
  assert.match(out, /^colour +#7c2d92$/m);
  assert.match(out, /^logo +sha256:[0-9a-f]{64}$/m);
  const first = await kept();
  assert.deepEqual([first.colour, first.logo?.type, first.logo?.bytes], ['#7c2d92', 'image/png', png]);
  const jpeg = aJpeg(400, 120);
  assert.equal((await update('--logo', await fileOf('logo.jpg', jpeg))).code, 0);
  const second = await kept();
  assert.deepEqual([second.colour, second.logo?.type, second.logo?.bytes], ['#7c2d92', 'image/jpeg', jpeg]);
  assert.equal((await update('--name', 'Other')).code, 0);
  assert.equal((await kept()).logo?.type, 'image/jpeg', 'what is not named stays');
  assert.equal((await update('--logo', 'none', '--colour', 'none')).code, 0);
  assert.deepEqual(await kept(), { colour: undefined, logo: undefined });
  assert.deepEqual(await pool.query('select * from merchant_logos'), []);
  assert.doesNotMatch((await kassa('show', String(merchantId))).out, /^(?:colour|logo)/m);
});

test('a colour that is none is refused', async () => {
  for (const colour of ['red', '#abc', '#12345g', 'url(https://evil.example/)', '#0b6e4f;}', ''])
    assert.match((await update('--colour', colour)).err, /must be six hex digits, such as #0b6e4f/, colour);
});

// decision: branding
test('a logo that is too large, no picture, or of too many pixels is refused, and says why', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const cases: readonly [string, Buffer, RegExp][] = [
    ['large.png', Buffer.concat([aPng(), Buffer.alloc(65_536)]), /larger than 64 KiB/],
    ['logo.svg', svg, /neither a PNG nor a JPEG/],
    ['empty.png', Buffer.alloc(0), /neither a PNG nor a JPEG/],
    ['short.png', aPng().subarray(0, 20), /neither a PNG nor a JPEG/],
    ['odd.jpg', Buffer.from('ffd8ffe00000ffe00000ffe00000', 'hex'), /neither a PNG nor a JPEG/],
    ['nothing.jpg', aJpeg(0, 10), /neither a PNG nor a JPEG/],
    ['bomb.jpg', aJpeg(60_000, 60_000), /more than 2000 pixels on a side/],
    ['wide.png', aPng(2_001, 1), /more than 2000 pixels on a side/],
  ];
  for (const [name, bytes, why] of cases) {
    const { code, err } = await update('--logo', await fileOf(name, bytes));
    assert.equal(code, 1, name);
    assert.match(err, why, name);
  }
  assert.match((await update('--logo', join(folder, 'nowhere.png'))).err, /--logo cannot be read: ENOENT/);
  assert.match((await update('--logo', folder)).err, /--logo cannot be read: EISDIR/);
  assert.deepEqual(await pool.query('select * from merchant_logos'), []);
});
