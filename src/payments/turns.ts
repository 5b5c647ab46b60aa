// Turns: of the requests that lost a payment to another one, one at a time tries again in this process. A hundred that
// all decide anew at once would lose ninety-nine times, and so on; in turns each loses to other processes alone.

const last = new Map<string, Promise<void>>();

/** Waits for the turn at a payment; what it gives ends the turn. */
export async function takeTurn(paymentId: string): Promise<() => void> {
  const before = last.get(paymentId);
  const { promise: mine, resolve: leave } = Promise.withResolvers<void>();
  last.set(paymentId, mine);
  await before;
  return () => {
    leave();
    if (last.get(paymentId) === mine) last.delete(paymentId);
  };
}
