// The types of the script that a shop loads from {Kassa}/v1/checkout.js: what `Kassa`, `Dibs` and `Nets` are in a page.
// Everything here is global, as the script is. Use it with /// <reference path="./checkout.d.ts" />.

/** How the checkout looks. Every name may be left out; a value that the checkout does not know is ignored. */
interface KassaTheme {
  /** Text outside of panels. Any CSS colour, such as `#1a2b3c`; so are the other colours. */
  readonly textColor?: string;
  /** Links outside of panels. */
  readonly linkColor?: string;
  /** Text in panels. */
  readonly panelTextColor?: string;
  /** Links in panels. */
  readonly panelLinkColor?: string;
  /** The pay button, and what is chosen. */
  readonly primaryColor?: string;
  /** Corners of buttons: pixels as a number, or a length such as `4px`. */
  readonly buttonRadius?: number | string;
  /** Text on buttons. */
  readonly buttonTextColor?: string;
  /** Behind everything. */
  readonly backgroundColor?: string;
  /** Behind the fields. */
  readonly panelColor?: string;
  /** Borders of panels and fields. */
  readonly outlineColor?: string;
  /** Borders of radio buttons and checkboxes. */
  readonly primaryOutlineColor?: string;
  /** A font that the consumer's device has; no font is loaded. */
  readonly fontFamily?: string;
  /** Weight of text on buttons: 400, `bold`. */
  readonly buttonFontWeight?: number | string;
  /** Case of text on buttons. */
  readonly buttonTextTransform?: 'none' | 'uppercase' | 'lowercase' | 'capitalize';
  /** Examples inside of empty fields. */
  readonly placeholderColor?: string;
  /** Light, the default, since most shops are; dark; or `auto`: as the consumer's device prefers. */
  readonly colorScheme?: 'light' | 'dark' | 'auto';
}

/** A language of the checkout; `sv` is enough. Of one that there is not, the consumer's own is taken, or English. */
type KassaLanguage =
  | 'en-GB'
  | 'sv-SE'
  | 'nb-NO'
  | 'da-DK'
  | 'fi-FI'
  | 'de-DE'
  | 'fr-FR'
  | 'nl-NL'
  | 'es-ES'
  | 'pl-PL'
  | (string & {});

/** What a checkout needs to know. */
interface KassaCheckoutOptions {
  /**
   * The checkout key of your shop: `test-checkout-key-…` or `live-checkout-key-…`, or the one that it brought from
   * elsewhere. Never a secret key.
   */
  readonly checkoutKey: string;
  /** The payment that your backend created for this order. */
  readonly paymentId: string;
  /**
   * The id of the element that the checkout is put into. Left out: `dibs-checkout-content`, or the first that there is
   * of `kassa-checkout` and `nets-checkout-content`.
   */
  readonly containerId?: string;
  /** The language of the checkout. Left out: what the consumer's browser asks for, or English. */
  readonly language?: KassaLanguage;
  /** How the checkout looks. */
  readonly theme?: KassaTheme;
}

/** What each event brings along. */
interface KassaCheckoutEvents {
  /** The checkout can be seen and used. */
  ready: undefined;
  /**
   * The consumer pressed Pay. Whoever listens to this halts the payment, until
   * `send('payment-order-finalized', true)` lets it go on or `false` stops it. The text is the payment's id.
   */
  'pay-initialized': string;
  /** The same as `payment-completed`, a moment before it: the name that older pages listen to. */
  'payment-created': { readonly paymentId: string };
  /**
   * The consumer has paid; a page that is opened again afterwards is told, too. Show your own page, and ask the API from
   * your backend before you ship.
   */
  'payment-completed': { readonly paymentId: string };
  /** The consumer gave another address to ship to: the country by three letters (ISO 3166), and the post code. */
  'address-changed': { readonly countryCode: string; readonly postalCode: string; readonly paymentId: string };
  /** The payment was terminated, so it cannot be paid any more; or the page sent `payment-cancel-initiated`. */
  'payment-cancelled': { readonly paymentId: string };
  /** Never called, since this checkout has no Apple Pay; a page that listens to it works. */
  'applepay-contact-updated': { readonly countryCode?: string; readonly postalCode?: string };
}

/** What a page can send, and the value that belongs to it. */
interface KassaCheckoutMessages {
  /** The answer to `pay-initialized`: whether the payment may go on. */
  'payment-order-finalized': boolean;
  /**
   * Ends what the consumer has begun: an answer that `pay-initialized` waits for is no, and the page of their bank is
   * closed. `payment-cancelled` follows, unless they have paid. Your backend terminates the payment, if it is to end.
   */
  'payment-cancel-initiated': unknown;
}

/** A checkout in your page. Its methods can be called at once: what the checkout cannot hear yet is told it later. */
interface KassaCheckout {
  /** Calls `listener` when `event` happens. An event has one listener: a second one takes the place of the first. */
  on<Name extends keyof KassaCheckoutEvents>(event: Name, listener: (data: KassaCheckoutEvents[Name]) => void): void;
  /** Takes the listener of `event` away. */
  off(event: keyof KassaCheckoutEvents): void;
  /** Tells the checkout something. */
  send<Name extends keyof KassaCheckoutMessages>(event: Name, data?: KassaCheckoutMessages[Name]): void;
  /** Holds the checkout still while your backend changes the cart: nobody can pay meanwhile. */
  freezeCheckout(): void;
  /** Ends `freezeCheckout`: the checkout reads the cart again and shows the new total. */
  thawCheckout(): void;
  /** Changes how the checkout looks. */
  setTheme(theme: KassaTheme): void;
  /** Changes the language. What the consumer typed stays, except the card's number and CVC. */
  setLanguage(language: KassaLanguage): void;
  /** For the answer to `applepay-contact-updated`. There is no Apple Pay here, so it does nothing but say so. */
  completeApplePayShippingContactUpdate(amount: number | string): void;
  /** Takes the checkout and its listeners out of the page. It may be called twice. */
  cleanup(): void;
}

/** What the globals hold. */
interface KassaScript {
  /**
   * Puts a checkout into the page. One that is in the same element already is replaced. Throws an `Error` that says
   * what to do when an option is missing or wrong.
   */
  readonly Checkout: new (options: KassaCheckoutOptions) => KassaCheckout;
}

/** Kassa's own name for the script's API. */
declare const Kassa: KassaScript;
/** The same, for pages that were written for Dibs Easy. */
declare const Dibs: KassaScript;
/** The same, for pages that were written for Nets Easy. */
declare const Nets: KassaScript;

interface Window {
  /** Kassa's own name for the script's API. */
  Kassa: KassaScript;
  /** The same, for pages that were written for Dibs Easy. */
  Dibs: KassaScript;
  /** The same, for pages that were written for Nets Easy. */
  Nets: KassaScript;
}
