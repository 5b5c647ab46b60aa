// What is asked of a container: it is healthy, as closed as it was told to be, takes a payment, keeps it through a
// kill -9, and ends when it is asked to.
import { aPay } from '../../test/support/checkout.ts';
import { Client } from '../../test/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { print } from '../by-hand.ts';
import { Container } from './container.ts';
import type { Engine, Said } from './engine.ts';

const AMOUNT = 100_000;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

type Keys = { readonly secretKey: string; readonly checkoutKey: string };

function expect(what: string, holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(`${what}: ${otherwise}`);
  print(`  ${what}`);
}

const said = ({ code, out, err }: Said): string => `it ended with ${code}: ${out}\n${err}`;

async function payAndCharge(url: string, { secretKey, checkoutKey }: Keys): Promise<string> {
  const client = new Client(url, secretKey);
  const paymentId = await client.create(AMOUNT);
  const paid = await new Client(url).post('/api/v1/pay', aPay(), { paymentId, checkoutKey });
  if (paid.status !== 201) throw new Error(`the payment was not paid: ${paid.status} ${paid.text}`);
  await client.charge(paymentId, AMOUNT);
  return paymentId;
}

/** `more` says where it keeps what it knows; with a Postgres elsewhere there is no data folder that it could write. */
export async function tryImage(
  engine: Engine,
  image: string,
  more: readonly string[],
  dataFolder?: string,
): Promise<void> {
  const port = await freePort();
  const first = await Container.start(engine, image, port, more);
  print(`  healthy ${seconds(await first.healthyAfterMs())} after its start`);
  const openings = await first.openings(dataFolder === undefined ? [] : [dataFolder]);
  const writable = dataFolder === undefined ? 'nothing writable' : `nothing writable but ${dataFolder}`;
  expect(`an ordinary user, no capability, ${writable}`, openings.length === 0, openings.join(', '));
  const made = await first.kassa('merchant', 'create', '--name', 'Image', '--dialect', 'spec', '--json');
  if (made.code !== 0) throw new Error(`no merchant was made: ${said(made)}`);
  const keys = JSON.parse(made.out) as Keys;
  const paymentId = await payAndCharge(first.url, keys);
  print(`  ${paymentId} created, paid and charged`);
  if (dataFolder !== undefined) {
    const beside = await engine.ask(...Container.words(['--rm', ...more, image, 'verify']));
    const isRefused = beside.code !== 0 && beside.err.includes('in use in another container');
    expect('a second container on its volume is refused', isRefused, said(beside));
  }
  const killed = await first.kill();
  expect('killed by SIGKILL', killed === 137, `it ended with ${killed}`);

  const second = await Container.start(engine, image, port, more);
  print(`  healthy again ${seconds(await second.healthyAfterMs())} after its start`);
  const { summary } = await new Client(second.url, keys.secretKey).payment(paymentId);
  expect('the payment is there, and charged', summary.chargedAmount === AMOUNT, JSON.stringify(summary));
  const verified = await second.kassa('verify');
  expect('kassa verify finds no difference', verified.code === 0, said(verified));
  await payAndCharge(second.url, keys);
  const { code, tookMs } = await second.stop();
  expect(
    `SIGTERM ended it with 0 after ${seconds(tookMs)}`,
    code === 0,
    `it ended with ${code}\n${await second.log()}`,
  );
}
