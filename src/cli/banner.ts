// The banner: what a newcomer needs right after the start, and nothing else.
import type { Sandbox } from './sandbox.ts';

const EXAMPLE_ORDER = {
  order: {
    items: [
      {
        reference: 'sneaky-1',
        name: 'Sneakers',
        quantity: 1,
        unit: 'pair',
        unitPrice: 80000,
        taxRate: 2500,
        taxAmount: 20000,
        grossTotalAmount: 100000,
        netTotalAmount: 80000,
      },
    ],
    amount: 100000,
    currency: 'SEK',
    reference: 'order-1',
  },
  checkout: { url: 'https://shop.example/checkout' },
};

export function bannerOf(publicUrl: string, sandbox: Sandbox | undefined, database: string): string {
  const head = ['', '  Kassa is running.', '', `  API       ${publicUrl}/v1`, `  Docs      ${publicUrl}/docs`];
  head.push(`  Database  ${database}`);
  if (sandbox === undefined)
    return [...head, '', '  Make a merchant with: npx kassa merchant create --name "My shop"', ''].join('\n');
  const curl = [
    `curl -s ${publicUrl}/v1/payments \\`,
    `  -H 'Authorization: ${sandbox.secretKey}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(EXAMPLE_ORDER)}'`,
  ];
  return [
    ...head,
    '',
    `  Sandbox merchant ${sandbox.merchantId}`,
    `  Secret key    ${sandbox.secretKey}`,
    `  Checkout key  ${sandbox.checkoutKey}`,
    '',
    '  Create your first payment:',
    '',
    ...curl,
    '',
  ].join('\n');
}
