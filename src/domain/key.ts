// The format of keys. Our keys have a prefix for the kind and mode, and 32 hex digits; keys that a merchant brings from
// elsewhere may have no prefix, or the dashes of a GUID.

/** The digits of a key, and the mode from its prefix, if any. */
export type SpelledKey = { readonly mode: 'test' | 'live' | undefined; readonly digits: string };

export const modeOf = (live: boolean): 'test' | 'live' => (live ? 'live' : 'test');

const LONGEST_KEY = 128;

const readerOf = (kind: 'secret' | 'checkout') => {
  const pattern = new RegExp(`^(?:(test|live)${kind}key)?([0-9a-f]{32})$`);
  return (text: string): SpelledKey | undefined => {
    if (text.length > LONGEST_KEY) return undefined;
    const [, mode, digits] = pattern.exec(text.replaceAll('-', '').toLowerCase()) ?? [];
    return digits === undefined ? undefined : { mode: mode as SpelledKey['mode'], digits };
  };
};

/** Real clients leave out the prefix or every dash, or both; what remains are the 32 digits. */
export const readSecretKey = readerOf('secret');
export const readCheckoutKey = readerOf('checkout');

export const secretKeyText = (mode: 'test' | 'live', digits: string): string => `${mode}-secret-key-${digits}`;

/** The one text by which a checkout key is kept and found. One without a prefix is another key than one with it. */
export const checkoutKeyText = ({ mode, digits }: SpelledKey): string =>
  mode === undefined ? digits : `${mode}-checkout-key-${digits}`;
