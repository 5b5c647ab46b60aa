// A small shop: it takes an order, lets Kassa collect the money, and ships what Kassa says was paid.
import { createServer } from 'node:http';
import { createClient, verifyWebhook } from 'kassa/client';

const PRICE = 10_000;

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const itemsOf = (mugs) => [
  {
    reference: 'mug',
    name: 'Mug',
    quantity: mugs,
    unit: 'pcs',
    unitPrice: PRICE,
    netTotalAmount: PRICE * mugs,
    grossTotalAmount: PRICE * mugs,
  },
];

/** Opens the shop on a free port. Its orders live in memory; yours have a table. */
export async function openShop({ kassaUrl, secretKey, webhookSecret }) {
  const kassa = createClient({ url: kassaUrl, secretKey });
  const orders = new Map();

  async function takeOrder(mugs) {
    const amount = PRICE * mugs;
    const { paymentId } = await kassa.createPayment({
      order: { items: itemsOf(mugs), amount, currency: 'SEK', reference: `order-${orders.size + 1}` },
      checkout: { url: 'https://shop.example/checkout', termsUrl: 'https://shop.example/terms' },
    });
    orders.set(paymentId, { paymentId, amount, state: 'open' });
    return orders.get(paymentId);
  }

  async function hear(event) {
    const order = orders.get(event.data.paymentId);
    if (order === undefined) return;
    // The same event may come twice: the key makes one charge of both.
    if (event.event === 'payment.checkout.completed')
      await kassa.chargePayment(
        order.paymentId,
        { amount: order.amount },
        { idempotencyKey: `${order.paymentId}-all` },
      );
    if (event.event === 'payment.charge.created.v2') order.state = 'shipped';
  }

  async function answer(request, response) {
    const body = await readBody(request);
    const send = (status, value) => response.writeHead(status).end(value && JSON.stringify(value));
    if (request.url === '/orders') return send(201, await takeOrder(JSON.parse(body).mugs));
    if (request.url.startsWith('/orders/')) return send(200, orders.get(request.url.split('/')[2]));
    let event;
    try {
      event = await verifyWebhook(body, request.headers, webhookSecret);
    } catch {
      return send(400);
    }
    await hear(event);
    return send(204);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
