// `npm run proof:board -- [--out FILE] [--seconds N] [--seed N]`: the board of deploy/grafana as a picture, drawn from a run of chaos.
// Debian's Prometheus watches the two Kassas of the run and answers the board's own queries; the panels are drawn here, as
// Grafana is in no package of Debian's. Ends with 1 when chaos finds something, or Prometheus refuses a query.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser, openPage } from '../../test/support/browser.ts';
import { createProgress, keepLog, print, runByHand } from '../by-hand.ts';
import { describeFindings, wholeLog } from '../chaos/report.ts';
import { runChaos } from '../chaos/run.ts';
import type { World } from '../chaos/world.ts';
import { root } from '../program.ts';
import { drawBoard, WIDTH } from './draw.ts';
import { fillBoard } from './panels.ts';
import { makeSmall } from './png.ts';
import { Prometheus, SCRAPE_EVERY_S } from './prometheus.ts';

const CLIENTS = 12;
const LOOK_EVERY_MS = 250;
// Clocks that are wrong by days would be all that is seen of times.
const PLACES = ['bank', 'kassa', 'postgres', 'wires'] as const;
const OPTIONS = {
  out: { type: 'string', default: join(root, 'docs', 'images', 'board.png') },
  seconds: { type: 'string', default: '120' },
  seed: { type: 'string', default: '3' },
} as const;

const nowS = (): number => Date.now() / 1_000;

/** Tells Prometheus where the Kassas are; one that is down stays where it was. Ends with when all were up last. */
function follow({ kassas }: World, prometheus: Prometheus): () => number {
  const known = new Map<string, string>();
  let upAt = nowS();
  const look = (): void => {
    const before = JSON.stringify([...known]);
    for (const { name, url } of kassas) if (url !== undefined) known.set(name.replace(' ', '-'), url);
    if (JSON.stringify([...known]) !== before) prometheus.watch(Array.from(known, ([name, url]) => ({ name, url })));
    if (kassas.every(({ url }) => url !== undefined)) upAt = nowS();
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return upAt;
  };
}

async function takePicture(svg: string, height: number, file: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await openPage(browser, { viewport: { width: WIDTH, height } });
    await page.setContent(`<!doctype html><body style="margin:0">${svg}</body>`);
    writeFileSync(file, makeSmall(await page.screenshot({ fullPage: true })));
  } finally {
    await browser.close();
  }
}

await runByHand('board', async (signal) => {
  const { values } = parseArgs({ options: OPTIONS });
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  const folder = mkdtempSync(join(tmpdir(), 'kassa-board-'));
  const prometheus = await Prometheus.open(join(folder, 'prometheus'));
  try {
    let from = 0;
    let endFollowing = nowS;
    const showProgress = createProgress();
    const run = await runChaos({
      seed,
      seconds,
      clients: CLIENTS,
      only: PLACES,
      signal,
      onProgress: showProgress,
      onOpen: (world) => {
        from = nowS();
        endFollowing = follow(world, prometheus);
      },
    });
    showProgress('');
    const span = { from: Math.floor(from), to: Math.floor(endFollowing()), step: SCRAPE_EVERY_S };
    const board = await fillBoard(prometheus, span);
    const told = `npm run chaos, seed ${seed}, ${seconds} s of troubles and the rest after them; times in UTC`;
    const { svg, height } = drawBoard(board, span, told);
    const file = resolve(values.out);
    await takePicture(svg, height, file);
    for (const { panel, lines } of board)
      if (panel.type !== 'row') print(`${String(lines.length).padStart(4)} series  ${panel.title}`);
    print(`${file}: ${(statSync(file).size / 1_000).toFixed(0)} kB`);
    if (run.journal.findings.length === 0) return 0;
    print(`${describeFindings(run)}\n\nThe whole log is in ${keepLog('board', `seed-${seed}`, wholeLog(run))}`);
    return 1;
  } finally {
    await prometheus.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
