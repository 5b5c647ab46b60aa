// The values that requests are made of: amounts, texts, addresses of the web. One definition is type, check and
// documentation.
import * as Type from '../../schema/type.ts';

export const HIGHEST_AMOUNT = 1_000_000_000_000;

export const Amount = Type.Integer({
  minimum: 1,
  maximum: HIGHEST_AMOUNT,
  description: "In the currency's minor unit: 100000 is 1,000.00 SEK.",
});

export const ItemAmount = (description: string) =>
  Type.Integer({ minimum: -HIGHEST_AMOUNT, maximum: HIGHEST_AMOUNT, description });

/** Text of 1 to `most` characters. */
export const Text = (most: number, description?: string) =>
  Type.String({ minLength: 1, maxLength: most, format: 'text', ...(description !== undefined && { description }) });

/** Text that may be empty: real shops send "" for a second address line. */
export const LooseText = (most: number, description?: string) =>
  Type.String({ maxLength: most, format: 'text', ...(description !== undefined && { description }) });

export const WebUrl = (description: string) => Type.String({ format: 'web-url', description });

export const Country = Type.String({
  format: 'country',
  description: 'ISO 3166 code: three letters, or two in a request.',
});

export const Currency = Type.String({ format: 'currency', description: 'ISO 4217 code, in any case.' });
