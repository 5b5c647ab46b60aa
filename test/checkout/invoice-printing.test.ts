// Goal: whoever asks for invoices delays no other merchant's: printing has its own threads, a turn for each merchant, an
// end in count, bytes and time, and ends when nobody waits. Method: the press with printers that finish when the test
// says so; the printer with its real thread; and a service, where the order of answers tells who waited for whom.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { invoiceOf } from '../../src/checkout/invoice/invoice.ts';
import type { Invoice } from '../../src/checkout/invoice/invoice.ts';
import { renderInvoice } from '../../src/checkout/invoice/pdf.ts';
import { InvoicePrinting } from '../../src/checkout/invoice/printing.ts';
import { NotPrinted, Printer } from '../../src/checkout/invoice/printer.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import type { Movement } from '../../src/domain/movement.ts';
import { anInvoicePay, Consumer } from '../support/checkout.ts';
import { aCreate, anItem } from '../support/client.ts';
import { anOrderItem, charged, reserved } from '../support/domain-payment.ts';
import { until } from '../support/kassa.ts';
import { shareService } from '../support/service.ts';
import type { Shop } from '../support/service.ts';

const itemsOf = (lines: number) =>
  Array.from({ length: lines }, (_, n) => anOrderItem(1_000, { reference: `line ${n}` }));

/** A charged payment of so many lines, printed for a merchant; each call is another version, so another print. */
let versions = 0;
function askingOf(merchantId: number, lines: number, signal: AbortSignal = new AbortController().signal) {
  versions += 1;
  const payment = { ...charged(reserved(lines * 1_000, itemsOf(lines)), lines * 1_000), version: versions };
  const charge = { ...(payment.movements.at(-1) as Movement), issued: { number: 1, seller: {} } };
  const merchant = { id: merchantId, name: `shop ${merchantId}`, live: false } as Merchant;
  return { payment, charge, merchant, language: 'en' as const, signal };
}

const anInvoice = (lines: number): Invoice => {
  const { payment, charge, merchant, language } = askingOf(1, lines);
  return invoiceOf(payment, charge, merchant, language);
};

/** A printer whose prints end when the test says so; it tells whose they are, in their order. */
class HeldPrinter {
  readonly begun: number[] = [];
  readonly givenUp: number[] = [];
  #finish: (() => void) | undefined;

  print = (invoice: Invoice, signal: AbortSignal): Promise<Buffer> => {
    const shop = invoice.merchant.number;
    this.begun.push(shop);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#finish = () => resolve(Buffer.from(`of ${shop}`));
    signal.addEventListener('abort', () => {
      this.givenUp.push(shop);
      reject(new NotPrinted('given up'));
    });
    return promise;
  };

  /** Ends the print that is under way, and lets the next one begin. */
  async next(): Promise<void> {
    this.#finish?.();
    await new Promise(setImmediate);
  }
}

describe('the press', () => {
  const open = () => {
    const [short, long] = [new HeldPrinter(), new HeldPrinter()];
    return { short, long, press: new InvoicePrinting({ short, long }) };
  };
  const why = (print: Promise<unknown>): Promise<string> =>
    print.then(
      () => 'printed',
      (error: Error) => (error instanceof NotPrinted ? error.message : assert.fail(error)),
    );
  const BUSY = 'Too many invoices are waiting to be printed. Try again in a moment.';

  test('takes a turn for each merchant, however many one of them asks for', async () => {
    const { press, short } = open();
    const prints = [1, 1, 1, 1, 2, 3, 2].map((shop) => press.print(askingOf(shop, 1)));
    for (const _ of prints) await short.next();
    assert.deepEqual(short.begun, [1, 1, 2, 3, 1, 2, 1]);
    const pdfs = await Promise.all(prints);
    assert.deepEqual(pdfs.map(String), ['of 1', 'of 1', 'of 1', 'of 1', 'of 2', 'of 3', 'of 2']);
  });

  test('prints a short one while long ones are under way', async () => {
    const { press, short, long } = open();
    void why(press.print(askingOf(1, 101)));
    void why(press.print(askingOf(2, 1_000)));
    const print = press.print(askingOf(3, 100));
    await short.next();
    assert.equal(String(await print), 'of 3');
    assert.deepEqual([long.begun, short.begun], [[1], [3]]);
  });

  test('takes one of few items and many tax rates for a long one', async () => {
    const { press, short, long } = open();
    const items = itemsOf(102).map((item, index) => ({ ...item, taxRate: index }));
    const payment = charged(reserved(102_000, items), 50_000);
    const charge = { ...(payment.movements.at(-1) as Movement), issued: { number: 1, seller: {} } };
    void why(press.print({ ...askingOf(1, 1), payment, charge }));
    assert.deepEqual([long.begun, short.begun], [[1], []]);
  });

  test('drops what nobody waits for any more, and gives it up when it is under way', async () => {
    const { press, short } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const underWay = press.print(askingOf(1, 1, first.signal));
    const waiting = press.print(askingOf(1, 1, second.signal));
    const other = press.print(askingOf(2, 1));
    second.abort();
    first.abort();
    assert.deepEqual(
      await Promise.all([underWay, waiting].map(why)),
      Array(2).fill('Nobody waits for the invoice any more.'),
    );
    await short.next();
    assert.equal(String(await other), 'of 2');
    assert.deepEqual([short.begun, short.givenUp], [[1, 2], [1]]);
    assert.equal(await why(press.print(askingOf(1, 1, AbortSignal.abort()))), 'Nobody waits for the invoice any more.');
  });

  test('prints once what several ask for, as long as one of them waits, and keeps it', async () => {
    const { press, short } = open();
    const asking = askingOf(1, 1);
    const gone = new AbortController();
    const [left, waits] = [press.print({ ...asking, signal: gone.signal }), press.print(asking)];
    gone.abort();
    await why(left);
    await short.next();
    assert.equal(String(await waits), 'of 1');
    assert.equal(String(await press.print(asking)), 'of 1');
    assert.deepEqual([short.begun, short.givenUp], [[1], []]);
  });

  test('has room for a few of each merchant, and lets in who waits for nothing before who waits for most', async () => {
    const { press, short } = open();
    const own = Array.from({ length: 9 }, () => why(press.print(askingOf(1, 1))));
    assert.equal(await why(press.print(askingOf(1, 1))), BUSY, 'one under way and eight waiting are all that it may');
    const others = [2, 3, 4, 5, 6, 7, 8].flatMap((shop) =>
      Array.from({ length: 8 }, () => why(press.print(askingOf(shop, 1)))),
    );
    const late = press.print(askingOf(9, 1));
    const told = await Promise.race([...own, ...others]);
    assert.equal(told, BUSY, 'the last of somebody with eight has lost its place');
    // One more of the first, one of each of the others, and then its own.
    for (let turn = 0; turn < 10; turn += 1) await short.next();
    assert.equal(String(await late), 'of 9');
  });

  test('has room for so many bytes of each merchant', async () => {
    const { press } = open();
    const large = () => askingOf(1, 1_000);
    const heavy = () => {
      const asking = large();
      const items = asking.payment.order.items.map((item) => ({
        ...item,
        name: 'n'.repeat(128),
        unit: 'u'.repeat(128),
      }));
      return { ...asking, payment: { ...asking.payment, order: { ...asking.payment.order, items } } };
    };
    void why(press.print(large()));
    const prints = Array.from({ length: 7 }, () => why(press.print(heavy())));
    assert.equal(await prints.at(-1), BUSY);
  });
});

describe('a printer', () => {
  const started: Worker[] = [];
  // The Kassa of this process starts threads as well, for its documentation; only those that print are this small.
  const PRINTS_WITH_MB = 512;
  const listen = (worker: Worker): void => {
    if (worker.resourceLimits?.maxOldGenerationSizeMb === PRINTS_WITH_MB) started.push(worker);
  };
  before(() => process.on('worker', listen));
  after(() => process.off('worker', listen));
  const never = new AbortController().signal;
  const LIMITS = { printMs: 600_000, idleMs: 600_000 };

  // One after another on one printer: to start a thread takes longer than all of its prints.
  const printer = new Printer(LIMITS);
  after(() => printer.close());

  test('prints on a thread of its own what it would print itself', async () => {
    const invoice = anInvoice(2);
    const own = await renderInvoice(invoice);
    assert.deepEqual(await printer.print(invoice, never), own);
    assert.deepEqual(await printer.print(invoice, never), own);
    assert.equal(started.length, 1);
  });

  test('gives up between two pages, and the thread goes on with the next', async () => {
    const gone = new AbortController();
    const print = printer.print(anInvoice(150), gone.signal);
    gone.abort();
    await assert.rejects(print, NotPrinted);
    assert.ok((await printer.print(anInvoice(1), never)).length > 1_000);
    assert.equal(started.length, 1);
  });

  test('starts another thread when one is lost', async () => {
    const lost = printer.print(anInvoice(150), never);
    await Promise.all([assert.rejects(lost, NotPrinted), started[0]?.terminate()]);
    assert.ok((await printer.print(anInvoice(2), never)).length > 1_000);
    assert.equal(started.length, 2);
  });

  test('ends a thread that takes too long, and one that has nothing to do', async (t) => {
    const hurried = new Printer({ printMs: 1, idleMs: 600_000 });
    t.after(() => hurried.close());
    await assert.rejects(hurried.print(anInvoice(150), never), NotPrinted);
    const idle = new Printer({ printMs: 600_000, idleMs: 1 });
    t.after(() => idle.close());
    started.length = 0;
    await idle.print(anInvoice(1), never);
    await once(started[0] as Worker, 'exit');
    await idle.print(anInvoice(1), never);
    assert.equal(started.length, 2);
  });
});

describe('a service', () => {
  const service = shareService();
  after(() => service.close());

  const openInvoice = async (shop: Shop, lines: number): Promise<URL> => {
    const items = Array.from({ length: lines }, (_, n) =>
      anItem({
        reference: `line ${n}`,
        name: '-'.repeat(128),
        grossTotalAmount: 1_000,
        netTotalAmount: 800,
        taxAmount: 200,
      }),
    );
    const amount = lines * 1_000;
    const body = { ...aCreate(), order: { amount, currency: 'SEK', reference: 'r', items } };
    const { paymentId } = await shop.client.must(201, 'POST', '/v1/payments', body);
    const consumer = new Consumer(service, shop, paymentId);
    const paid = await consumer.pay(anInvoicePay('19121212-1212', { amountConfirmedByConsumer: amount }));
    assert.equal(paid.status, 201, paid.text);
    await shop.client.charge(paymentId, amount);
    const { pdfLink } = (await shop.client.payment(paymentId)).paymentDetails.invoiceDetails;
    return new URL(pdfLink);
  };

  test('a short invoice of one merchant does not wait for the long ones of another, abandoned or not', async () => {
    const [hostile, other] = [await service.openShop(), await service.openShop()];
    // More are asked for than there are threads, so that some wait for their turn beside the short one. Just long enough
    // for the printer of long ones: where other tests keep the processor busy, printing gets little of it.
    const long = await Promise.all(Array.from({ length: 4 }, () => openInvoice(hostile, 110)));
    const [first, short] = [await openInvoice(other, 1), await openInvoice(other, 1)];
    const answered: string[] = [];
    const ask = async (name: string, { pathname }: URL): Promise<void> => {
      // Printing comes after all else that the machine has to do: who waited for too long is told to ask again.
      const reply = await until('an invoice', async () => {
        const answer = await fetch(service.url + pathname);
        return answer.status !== 503 && answer;
      });
      assert.equal(reply.headers.get('content-type'), 'application/pdf');
      await reply.arrayBuffer();
      answered.push(name);
    };
    // From here on both threads run.
    await ask('first', first);
    const { port, hostname } = new URL(service.url);
    for (const { pathname } of long.slice(2)) {
      const socket = connect(Number(port), hostname);
      socket.end(`GET ${pathname} HTTP/1.1\r\nHost: kassa\r\n\r\n`);
      await once(socket, 'connect');
    }
    await Promise.all([...long.slice(0, 2).map((url) => ask('long', url)), ask('short', short)]);
    assert.equal(answered.at(-1), 'long');
  });

  test('more invoices of one merchant than twenty a second are refused before they are read, and no other merchant is', async () => {
    const [hostile, other] = [await service.openShop(), await service.openShop()];
    const [theirs, ours] = [await openInvoice(hostile, 1), await openInvoice(other, 1)];
    const { port, hostname } = new URL(service.url);
    // All connections are there before one of them asks, so that what they ask arrives at once.
    const sockets = Array.from({ length: 50 }, () => connect(Number(port), hostname).setEncoding('latin1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const ask = async (socket: Socket): Promise<string> => {
      socket.write(`GET ${theirs.pathname} HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n`);
      return (await socket.toArray()).join('');
    };
    const answers = await Promise.all(sockets.map(ask));
    assert.ok(answers.some((answer) => /^HTTP\/1\.1 429 [^]*?\r\nretry-after: [1-9]/i.test(answer)));
    assert.equal((await fetch(service.url + ours.pathname)).status, 200);
  });

  test('a long invoice counts for as many as it has pages, also where nobody waits for it', async () => {
    const shop = await service.openShop();
    const [long, short] = [await openInvoice(shop, 300), await openInvoice(shop, 1)];
    const { port, hostname } = new URL(service.url);
    const sockets = Array.from({ length: 19 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.write(`GET ${long.pathname} HTTP/1.1\r\nHost: kassa\r\n\r\n`);
    // Counted one by one, they would be paid for within a second.
    const waits = async (): Promise<number> => {
      const reply = await fetch(service.url + short.pathname);
      await reply.arrayBuffer();
      return Number(reply.headers.get('retry-after') ?? 0);
    };
    while ((await waits()) <= 1) await sleep(1);
    for (const socket of sockets) socket.destroy();
  });
});
