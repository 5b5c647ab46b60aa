// Goal: a dialect is a way of spelling and nothing else: the same payment, read in both, holds the same data.
// Method: payments are made in one dialect, the merchant's dialect is switched, and the reads before and after are
// compared once the documented differences are taken away.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateMerchant } from '../../src/store/merchants/merchants.ts';
import { DIALECTS } from '../support/answers.ts';
import type { Client } from '../support/client.ts';
import { shareService } from '../support/service.ts';
import type { SharedService } from '../support/service.ts';

// Twenty seconds: a notice that is lost is made up for after five.
const MOST_TRIES = 1_000;

type Read = Awaited<ReturnType<Client['payment']>>;

const dialectShown = (payment: Read): 'spec' | 'nexi' => ('charges' in payment ? 'spec' : 'nexi');

const without = (name: string) => (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));

/** A payment by card in either dialect, spelled so that both are the same. */
function plain({ summary, charges = [], refunds = [], consumer, paymentDetails, ...others }: Read): object {
  const zeros = { reservedAmount: 0, chargedAmount: 0, refundedAmount: 0, cancelledAmount: 0 };
  return {
    ...others,
    summary: { ...zeros, ...summary },
    charges: charges.map(without('surchargeAmount')),
    refunds: refunds.map(without('surchargeAmount')),
    // Only the skeleton of who is not known differs, and a card's invoice number is shown in one of them alone.
    consumer: without('company')(consumer),
    paymentDetails: without('invoiceDetails')(paymentDetails),
  };
}

describe('the same payment in both dialects', () => {
  let service: SharedService;
  before(async () => {
    service = shareService();
  });
  after(() => service.close());

  /** The switch reaches a running service by a notice, a moment later. */
  async function readAs(client: Client, probeId: string, paymentId: string, dialect: string): Promise<Read> {
    for (let tries = 0; dialectShown(await client.payment(probeId)) !== dialect; tries += 1) {
      assert.ok(tries < MOST_TRIES, `the service never heard of the dialect ${dialect}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return client.payment(paymentId);
  }

  for (const first of DIALECTS) {
    const second = first === 'spec' ? 'nexi' : 'spec';

    // decision: reach-of-a-dialect
    test(`made in ${first} and read in ${second}: the same ids, amounts, items, consumer and times`, async () => {
      const { client, merchant } = await service.openShop({ dialect: first });
      const probeId = await client.create();
      const paymentId = await client.createReserved();
      const chargeId = await client.charge(paymentId, 60_000);
      await client.refund(chargeId, 10_000);
      await client.cancel(paymentId, 5_000);
      const earlier = await readAs(client, probeId, paymentId, first);
      await updateMerchant(service.pool, merchant.id, { dialect: second });
      const later = await readAs(client, probeId, paymentId, second);
      assert.notDeepEqual(later, earlier);
      assert.deepEqual(plain(later), plain(earlier));
    });
  }
});
