// The values that requests are made of: amounts, texts, addresses of the web. One definition is type, check and
// documentation.
import { Type } from 'typebox';

const HIGHEST_AMOUNT = 1_000_000_000_000;

export const Amount = Type.Integer({
  minimum: 1,
  maximum: HIGHEST_AMOUNT,
  description: "Whole number in the currency's minor unit.",
});

export const ItemAmount = Type.Integer({
  minimum: -HIGHEST_AMOUNT,
  maximum: HIGHEST_AMOUNT,
  description: "Whole number in the currency's minor unit; negative for a discount.",
});

/** Text of 1 to `most` characters. */
export const Text = (most: number, description?: string) =>
  Type.String({ minLength: 1, maxLength: most, format: 'text', ...(description !== undefined && { description }) });

/** Text that may be empty: real shops send "" for a second address line. */
export const LooseText = (most: number) => Type.String({ maxLength: most, format: 'text' });

export const WebUrl = Type.String({ format: 'web-url', description: 'Absolute http or https address.' });

export const Country = Type.String({ format: 'country', description: 'ISO 3166, three letters or two.' });

export const Currency = Type.String({ format: 'currency', description: 'ISO 4217, in any case.' });
