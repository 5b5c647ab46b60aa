// Goal: every acquirer keeps to the port. Method: one suite, run against the simulator in this process and against a
// real `kassa bank` in another, through the client that Kassa uses.
import { simulator } from '../../src/acquirers/simulator.ts';
import { startBank } from '../support/bank.ts';
import { testConformance } from './conformance.ts';

testConformance('the simulator', true, async () => ({ acquirer: simulator, close: async () => {} }));

testConformance('the bank', false, async () => {
  const bank = await startBank();
  return { acquirer: bank.acquirer({ timeoutMs: 60_000 }), close: () => bank.stop() };
});
