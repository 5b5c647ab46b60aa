// Makes a picture of a screen small: of all its colours the 256 that most of it has, and the others as the nearest of them.
// A drawing has few colours but for the edges of its letters and lines.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 256;
const CHANNELS = 3;

type Chunk = { readonly kind: string; readonly data: Buffer };

function readChunks(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ kind: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function writeChunk({ kind, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The nearest of the left one, the upper one and the one between. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [fromLeft, fromUp, fromCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

/** The bytes of the pixels, line by line: each is told as a difference to those around it. */
function readPixels(lines: Buffer, width: number, height: number): Buffer {
  const stride = width * CHANNELS;
  const pixels = Buffer.alloc(stride * height);
  const guesses = [
    () => 0,
    (left: number) => left,
    (_: number, up: number) => up,
    (left: number, up: number) => (left + up) >> 1,
    paeth,
  ];
  for (let y = 0; y < height; y += 1) {
    const guess = guesses[lines[y * (stride + 1)] as number] as typeof paeth;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < CHANNELS ? 0 : (pixels[at - CHANNELS] as number);
      const up = y === 0 ? 0 : (pixels[at - stride] as number);
      const corner = x < CHANNELS || y === 0 ? 0 : (pixels[at - stride - CHANNELS] as number);
      pixels[at] = (lines[y * (stride + 1) + 1 + x] as number) + guess(left, up, corner);
    }
  }
  return pixels;
}

const distance = (one: number, other: number): number =>
  ((one >> 16) - (other >> 16)) ** 2 +
  (((one >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
  ((one & 255) - (other & 255)) ** 2;

function nearestIn(palette: readonly number[], colour: number): number {
  let nearest = 0;
  for (const [n, each] of palette.entries())
    if (distance(each, colour) < distance(palette[nearest] as number, colour)) nearest = n;
  return nearest;
}

/** Of a PNG as Chromium makes it: three bytes a pixel, no transparency. */
export function makeSmall(png: Buffer): Buffer {
  const chunks = readChunks(png);
  const header = Buffer.from(chunks[0]?.data ?? []);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString('hex', 8) !== '0802000000') throw new Error('the picture is not of the kind that was expected');
  const data = chunks.filter(({ kind }) => kind === 'IDAT').map((chunk) => chunk.data);
  const pixels = readPixels(inflateSync(Buffer.concat(data)), width, height);
  const colours = Array.from({ length: width * height }, (_, n) => pixels.readUIntBE(n * CHANNELS, CHANNELS));
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const common = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MOST_COLOURS);
  const palette = common.map(([colour]) => colour);
  const places = new Map(Array.from(counts.keys(), (colour) => [colour, nearestIn(palette, colour)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [n, colour] of colours.entries())
    lines[Math.floor(n / width) * (width + 1) + 1 + (n % width)] = places.get(colour) as number;
  // One byte a pixel, which names a colour.
  header[9] = 3;
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const small = [
    { kind: 'IHDR', data: header },
    { kind: 'PLTE', data: table },
    { kind: 'IDAT', data: deflateSync(lines, { level: 9 }) },
    { kind: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([SIGNATURE, ...small.map(writeChunk)]);
}
