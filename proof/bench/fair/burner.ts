// Uses as much of the machine's processors as it is told, on nothing: what a victim would notice of the hostile clients
// if they had nothing to do with its Kassa.
const SLICE_MS = 2;

process.on('message', (share: number) => {
  const startMs = performance.now();
  let burntMs = 0;
  const burn = (): void => {
    const now = performance.now();
    const owedMs = (now - startMs) * share - burntMs;
    const until = now + Math.min(owedMs, SLICE_MS);
    let ended = now;
    while (ended < until) ended = performance.now();
    burntMs += ended - now;
    if (owedMs > SLICE_MS) setImmediate(burn);
    else setTimeout(burn, 1);
  };
  burn();
  process.send?.('burning');
});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
