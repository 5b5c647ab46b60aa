// The pictures of what is bought, which come from wherever the shop keeps them. The page's policy lets in the origins of
// this order's pictures and no others, and few of them; nobody is told which page asked.
import type { OrderItem } from '../domain/item.ts';
import type { Payment } from '../domain/payment.ts';
import { plainOrigin } from './origin.ts';

// Shops keep pictures in one place or two; this bounds the header.
const MOST_ORIGINS = 4;

/** Where the pictures of an order are. A page that came over https asks nobody without. */
export function pictureOriginsOf({ order }: Payment, isSecure: boolean): readonly string[] {
  const origins = new Set<string>();
  for (const { imageUrl } of order.items) {
    const origin = plainOrigin(imageUrl);
    if (origin === undefined || (isSecure && !origin.startsWith('https:'))) continue;
    origins.add(origin);
    if (origins.size === MOST_ORIGINS) break;
  }
  return [...origins];
}

/** The address of an item's picture, where the page may show it. */
export function pictureOf({ imageUrl }: OrderItem, origins: readonly string[]): string | undefined {
  const origin = plainOrigin(imageUrl);
  return origin !== undefined && origins.includes(origin) ? imageUrl : undefined;
}
