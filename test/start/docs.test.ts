// Goal: the documents stay true to the program: links, settings, commands, refusals, codes, metrics and cards. Method:
// what the program knows of itself is looked for in the documents, and the other way round.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { testCards } from '../../src/acquirers/test-cards.ts';
import { commands as outlines } from '../../src/cli/commands.ts';
import { SECRETS, SETTINGS, fileNameOf, isSetting } from '../../src/config/settings.ts';
import { TRACING_SETTINGS } from '../../src/config/tracing.ts';
import type { Payment } from '../../src/domain/payment.ts';
import type { Refusal } from '../../src/domain/refusal.ts';
import type { SubscriptionRefusal } from '../../src/domain/subscription-charge.ts';
import { describeSubscriptionRefusal } from '../../src/domain/subscription-decline.ts';
import type { OperationName, PresentationContext } from '../../src/api/dialects/dialect.ts';
import { nexi } from '../../src/api/dialects/nexi.ts';
import { spec } from '../../src/api/dialects/spec.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { root } from '../../proof/program.ts';
import { anchorsOf, linksOf, listDocuments, readDocument } from './documents.ts';

const commands = await Promise.all(outlines.map(async (one) => ({ ...one, ...(await one.load()) })));

const documents = listDocuments();

describe('every document', () => {
  test('links only to what is there, headings included', () => {
    const broken = documents.flatMap((document) =>
      linksOf(document)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          const path = file === '' ? document.path : join(dirname(document.path), file);
          if (!existsSync(join(root, path))) return true;
          return anchor !== undefined && !anchorsOf(readDocument(path)).includes(anchor);
        })
        .map((target) => `${document.path}: ${target}`),
    );
    assert.deepEqual(broken, []);
  });

  test('is linked from the README or from another document', () => {
    const linked = new Set(
      documents.flatMap((document) =>
        linksOf(document).map((target) => join(dirname(document.path), target.split('#')[0] ?? '')),
      ),
    );
    const lost = documents.filter(({ path }) => path.startsWith('docs/') && path !== 'docs/README.md');
    assert.deepEqual(
      lost.map(({ path }) => path).filter((path) => !linked.has(path)),
      [],
    );
  });

  test('names no setting that does not exist', () => {
    const named = documents.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\bKASSA_[A-Z_]*[A-Z]\b/g), ([name]) => ({ path, name })),
    );
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter(({ name }) => !isSetting(name)),
      [],
    );
  });

  test('names no command and no option that does not exist', () => {
    const groups = new Set(commands.map(({ name }) => name.split(' ')[0]));
    const unknown = documents.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/(?:npx kassa|bin\/kassa\.js) ([a-z]+)(?: ([a-z]+))?((?: [^\n`#)|]+)?)/g))
        .filter(([, first = '', second = '', rest = '']) => {
          if (first === 'help') return false;
          const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
          if (command === undefined) return !(groups.has(first) && second === '');
          const options = Array.from(rest.matchAll(/--(?:no-)?([a-z-]+)/g), ([, name]) => name as string);
          return options.some((name) => !(name in (command.options ?? {})));
        })
        .map(([words]) => `${path}: ${words}`),
    );
    assert.deepEqual(unknown, []);
  });
});

const rowsOf = (settings: Readonly<Record<string, readonly [string, string]>>): string =>
  Object.entries(settings)
    .map(([name, [fallback, meaning]]) => `| \`${name}\` | ${fallback && `\`${fallback}\` `}| ${meaning} |`)
    .join('\n');

test('tracing.md has every setting of traces with its default and its meaning, in order', () => {
  const { text } = readDocument('docs/operate/tracing.md');
  assert.ok(text.includes(rowsOf(TRACING_SETTINGS)), rowsOf(TRACING_SETTINGS));
});

describe('run.md', () => {
  const { text } = readDocument('docs/operate/run.md');

  test('has every setting with its default and its meaning, in order', () => {
    assert.ok(text.includes(rowsOf(SETTINGS)), rowsOf(SETTINGS));
  });

  test('names the file of every secret', () => {
    for (const secret of SECRETS) assert.ok(text.includes(`\`${fileNameOf(secret)}\``), secret);
  });

  test('has every metric of ours, and no other', async () => {
    const told = Array.from(text.matchAll(/^\| `(kassa_\w+)` \|/gm), ([, name = '']) => name);
    const made = Array.from(
      String(await createMetrics().read()).matchAll(/^# TYPE (kassa_\w+) /gm),
      ([, name = '']) => name,
    );
    assert.deepEqual(told.toSorted(), made.toSorted());
  });
});

test('cli.md has every command with its usage and its options, and no other', () => {
  const { text } = readDocument('docs/reference/cli.md');
  const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
  assert.deepEqual(
    headings,
    commands.map(({ name, usage }) => `kassa ${name}${usage === undefined ? '' : ` ${usage}`}`),
  );
  const sections = text.split(/^## /m).slice(1);
  for (const [index, { name, options = {}, usage = '' }] of commands.entries())
    for (const option of Object.keys(options))
      assert.ok(`${usage} ${sections[index]}`.includes(`--${option}`), `${name} --${option}`);
});

test('test-cards.md has every card with what it does, and no other', () => {
  const { text } = readDocument('docs/integrate/test-cards.md');
  const rows = Array.from(text.matchAll(/^\| (\d{16}) \| (.+) \|$/gm), ([, number, what]) => ({ number, what }));
  assert.deepEqual(
    rows,
    testCards.map(({ number, what }) => ({ number, what })),
  );
});

describe('errors.md', () => {
  const { text } = readDocument('docs/reference/errors.md');

  type Sample = { readonly refusal: Refusal; readonly meets: readonly OperationName[] };

  // Each refusal, and the operations that can meet it; the compiler asks for those that are missing.
  const samples: Readonly<Record<Refusal['name'], Sample | readonly Sample[]>> = {
    payment_was_never_reserved: { refusal: { name: 'payment_was_never_reserved' }, meets: ['charge', 'cancel'] },
    payment_has_expired: { refusal: { name: 'payment_has_expired', at: 0 }, meets: ['charge', 'reserve', 'cart'] },
    payment_is_terminated: {
      refusal: { name: 'payment_is_terminated' },
      meets: ['charge', 'cancel', 'reserve', 'cart', 'reference'],
    },
    payment_is_already_reserved: {
      refusal: { name: 'payment_is_already_reserved' },
      meets: ['reserve', 'cart', 'terminate'],
    },
    payment_has_too_many_movements: {
      refusal: { name: 'payment_has_too_many_movements', movements: 1_000, most: 1_000 },
      meets: ['charge', 'cancel', 'refund', 'reserve'],
    },
    payment_holds_too_many_lines: {
      refusal: { name: 'payment_holds_too_many_lines', lines: 4_999, most: 5_000 },
      meets: ['charge', 'cancel', 'refund'],
    },
    payment_is_too_large: {
      refusal: { name: 'payment_is_too_large', bytes: 2_100_000, most: 2_097_152 },
      meets: ['charge', 'cancel', 'refund'],
    },
    too_many_tax_rates: {
      refusal: { name: 'too_many_tax_rates', rates: 51, most: 50 },
      meets: ['charge', 'cancel', 'refund'],
    },
    order_is_too_large: { refusal: { name: 'order_is_too_large', bytes: 600_000, most: 524_288 }, meets: ['cart'] },
    method_is_not_offered: (['CARD', 'INVOICE'] as const).map((paymentType) => ({
      refusal: { name: 'method_is_not_offered', paymentType, method: 'MasterCard', offered: ['Visa'] },
      meets: ['reserve'],
    })),
    amount_with_fee_is_out_of_range: {
      refusal: { name: 'amount_with_fee_is_out_of_range', method: 'EasyInvoice', amount: 0, most: 1_000 },
      meets: ['cart'],
    },
    reservation_is_pending: {
      refusal: { name: 'reservation_is_pending' },
      meets: ['charge', 'cancel', 'reserve', 'cart', 'terminate'],
    },
    refund_is_completed: { refusal: { name: 'refund_is_completed' }, meets: ['cancel-refund'] },
    refund_has_failed: { refusal: { name: 'refund_has_failed' }, meets: ['cancel-refund'] },
    refund_was_done_meanwhile: { refusal: { name: 'refund_was_done_meanwhile' }, meets: ['cancel-refund'] },
    reservation_has_expired: { refusal: { name: 'reservation_has_expired', at: 0 }, meets: ['charge', 'cancel'] },
    reservation_holds_no_money: { refusal: { name: 'reservation_holds_no_money' }, meets: ['cancel'] },
    reservation_is_fully_charged: { refusal: { name: 'reservation_is_fully_charged' }, meets: ['cancel'] },
    reservation_is_fully_cancelled: {
      refusal: { name: 'reservation_is_fully_cancelled' },
      meets: ['cancel', 'reference'],
    },
    charge_exceeds_what_is_left: {
      refusal: { name: 'charge_exceeds_what_is_left', amount: 2, left: 1 },
      meets: ['charge'],
    },
    cancel_exceeds_what_is_left: {
      refusal: { name: 'cancel_exceeds_what_is_left', amount: 2, left: 1 },
      meets: ['cancel'],
    },
    refund_exceeds_what_is_left: {
      refusal: { name: 'refund_exceeds_what_is_left', amount: 2, left: 1 },
      meets: ['refund'],
    },
    no_charge_has_that_much_left: {
      refusal: { name: 'no_charge_has_that_much_left', amount: 2, charges: [] },
      meets: ['refund'],
    },
    item_is_not_left: {
      refusal: {
        name: 'item_is_not_left',
        excess: { kind: 'unknown_reference', index: 0, reference: 'a' },
        of: 'order',
      },
      meets: ['charge', 'refund', 'cancel'],
    },
    outcome_is_unknown: (['reservation', 'charge', 'cancel'] as const).map((kind) => ({
      refusal: { name: 'outcome_is_unknown', kind, hasKey: kind !== 'reservation' },
      meets: [kind === 'reservation' ? 'reserve' : kind],
    })),
    acquirer_declined: (['reservation', 'charge', 'refund', 'cancel'] as const).map((kind) => ({
      refusal: { name: 'acquirer_declined', kind, reason: 'no', acquirer: 'simulator' },
      meets: [kind === 'reservation' ? 'reserve' : kind],
    })),
  };

  const ofSubscriptions: { readonly [Name in SubscriptionRefusal['name']]: SubscriptionRefusal & { name: Name } } = {
    subscription_has_expired: { name: 'subscription_has_expired', at: 0 },
    subscription_was_ended: { name: 'subscription_was_ended', by: 'consumer' },
    subscription_needs_a_new_card: { name: 'subscription_needs_a_new_card' },
    subscription_is_charged_too_early: { name: 'subscription_is_charged_too_early', firstDay: '2026-11-16' },
  };

  const payment = { id: '019f0000000070008000000000000000' } as Payment;
  const presentation = { publicUrl: '', merchant: { live: false } } as PresentationContext;
  const rows = new Map(
    Array.from(text.matchAll(/^\| (.*) \| `([a-z_]+)` \|$/gm), ([, cells = '', name = '']) => [name, cells]),
  );

  test('has every refusal, and no other', () => {
    const names = [...Object.keys(samples), ...Object.keys(ofSubscriptions)];
    assert.deepEqual([...rows.keys()].toSorted(), names.toSorted());
  });

  test('has the text and the code of each refusal of a subscription', () => {
    for (const refusal of Object.values(ofSubscriptions)) {
      const [words = '', code] = (rows.get(refusal.name) ?? '').split(' | ');
      const told = describeSubscriptionRefusal(refusal);
      assert.equal(told.code, code, refusal.name);
      for (const piece of words.split('…'))
        assert.ok(told.message.includes(piece), `${words} is not in ${told.message}`);
    }
  });

  test('has the text, the status and the code of each refusal, in both dialects', () => {
    for (const { refusal, meets } of Object.values(samples).flat()) {
      const row = rows.get(refusal.name) ?? '';
      // What differs from case to case stands as an ellipsis.
      const pieces = (row.split(' | ')[0] ?? '').toLowerCase().split('…');
      for (const operation of meets)
        for (const dialect of [spec, nexi]) {
          const { status, body } = dialect.refusal(refusal, operation, payment, presentation);
          const { code = '' } = JSON.parse(body) as { code?: string };
          assert.ok(
            row !== '' && pieces.every((piece) => body.toLowerCase().includes(piece)),
            `${row} is not in ${body}`,
          );
          assert.ok(row.includes(String(status)) && row.includes(code), `${refusal.name}, ${operation}: ${row}`);
        }
    }
  });

  test('lists the codes that the program answers with, and no other', () => {
    const listed = /Kassa answers with ([\d, and\n]+)\./.exec(text)?.[1]?.match(/\d{4}/g) ?? [];
    const files = ['server/errors.ts', 'api/outcome.ts', 'api/dialects/refusal.ts', 'api/dialects/nexi.ts'];
    const sources = [...files, 'domain/decline.ts', 'domain/subscription-decline.ts'].map((file) =>
      readFileSync(join(root, 'src', file), 'utf8'),
    );
    const used = new Set(sources.flatMap((source) => source.match(/(?<=')1\d{3}(?=')/g) ?? []));
    assert.deepEqual(listed.toSorted(), [...used].toSorted());
  });
});
