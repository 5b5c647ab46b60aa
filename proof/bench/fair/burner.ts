// Uses as much of the machine's processors as it is told, on nothing: what a victim would notice of the hostile clients
// if they had nothing to do with its Kassa.
const SLICE_MS = 2;

let share = 0;
let startMs = 0;
let burntMs = 0;

function burn(): void {
  if (share === 0) return;
  const now = performance.now();
  const owedMs = (now - startMs) * share - burntMs;
  const until = now + Math.min(owedMs, SLICE_MS);
  let ended = now;
  while (ended < until) ended = performance.now();
  burntMs += ended - now;
  if (owedMs > SLICE_MS) setImmediate(burn);
  else setTimeout(burn, 1);
}

// Nothing of a core is a pause.
process.on('message', (told: number) => {
  const isBurning = share > 0;
  [share, startMs, burntMs] = [told, performance.now(), 0];
  if (!isBurning) burn();
  process.send?.('burning');
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
