// Serves a merchant's branding: the style of its colour and its logo. They come from our own origin, so that the content
// security policy needs no other, at content-addressed URLs.
import type { FastifyInstance } from 'fastify';
import type { Merchant } from '../domain/merchant.ts';
import { NOT_FOUND } from '../server/answer.ts';
import { sendAnswer } from '../server/errors.ts';
import { readLogo } from '../store/merchants/merchant-branding.ts';
import type { Logo } from '../store/merchants/merchant-branding.ts';
import { styleOfColour } from './colour.ts';
import { findShop, rootOf } from './context.ts';
import type { CheckoutContext } from './context.ts';

const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
// Sixty-four logos of at most 64 KiB: 4 MiB in total.
const MOST_KEPT = 64;
// Opened directly it is only an image.
const PICTURE_HEADERS = { 'content-security-policy': "default-src 'none'; sandbox", 'x-robots-tag': 'noindex' };

export type BrandingAddresses = { readonly colour?: string; readonly logo?: string };

export function brandingOf(context: CheckoutContext, { colour, logo, checkoutKey }: Merchant): BrandingAddresses {
  const root = `${rootOf(context)}/checkout`;
  return {
    ...(colour !== undefined && { colour: `${root}/colours/${colour.slice(1)}.css` }),
    ...(logo !== undefined && { logo: `${root}/logos/${checkoutKey}/${logo}` }),
  };
}

/** Reads a logo once, and keeps the last few. */
function logoReader({ payments }: CheckoutContext): (merchant: Merchant) => Promise<Logo | undefined> {
  const kept = new Map<string, Promise<Logo | undefined>>();
  return (merchant) => {
    const digest = merchant.logo ?? '';
    const key = `${merchant.id} ${digest}`;
    const known = kept.get(key);
    if (known) return known;
    const reading = readLogo(payments.store.pool, merchant);
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, reading);
    const forget = (): void => void kept.delete(key);
    reading.then((logo) => logo ?? forget(), forget);
    return reading;
  };
}

export function routeBranding(app: FastifyInstance, context: CheckoutContext): void {
  app.get('/checkout/colours/:name', async (request, reply) => {
    const digits = /^([0-9a-f]{6})\.css$/.exec((request.params as { name: string }).name)?.[1];
    if (digits === undefined) return sendAnswer(reply, NOT_FOUND);
    // Not cached on the server, since there are sixteen million colours.
    reply.headers({ 'cache-control': KEPT_FOR_GOOD, 'content-type': 'text/css; charset=utf-8' });
    return reply.send(styleOfColour(digits));
  });
  const findLogo = logoReader(context);
  app.get('/checkout/logos/:checkoutKey/:digest', async (request, reply) => {
    const { checkoutKey, digest } = request.params as { checkoutKey: string; digest: string };
    const merchant = await findShop(context, checkoutKey);
    // A replaced logo is gone: current pages refer to the new one.
    const logo = merchant?.logo !== undefined && merchant.logo === digest ? await findLogo(merchant) : undefined;
    if (logo === undefined) return sendAnswer(reply, NOT_FOUND);
    reply.headers({ ...PICTURE_HEADERS, 'cache-control': KEPT_FOR_GOOD, 'content-type': logo.type });
    return reply.send(logo.bytes);
  });
}
