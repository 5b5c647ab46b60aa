// oxlint-disable-next-line typescript/triple-slash-reference -- a classic script cannot import
/// <reference path="./checkout.d.ts" />
// The script that a shop loads to have the checkout in its own page: it puts Kassa's page into a frame and carries
// messages between the two. A classic script that needs nothing and leaves nothing behind but its three names. It hears
// and tells nobody but that one frame, and only while that shows a page of Kassa's.
(() => {
  type EventName = keyof KassaCheckoutEvents;
  type Listener = (data: unknown) => void;
  type Message = { readonly kassa: 1; readonly type: string; readonly data?: unknown };
  type Container = HTMLElement & { [OURS]?: KassaCheckout };

  const NAMES = ['Kassa', 'Dibs', 'Nets'] as const;
  const CONTAINERS = ['dibs-checkout-content', 'kassa-checkout', 'nets-checkout-content'] as const;
  const EVENTS = [
    'ready',
    'pay-initialized',
    'payment-created',
    'payment-completed',
    'address-changed',
    'payment-cancelled',
    'applepay-contact-updated',
  ] as const;
  // Both tell that the consumer has paid, the older name first.
  const PAID = ['payment-created', 'payment-completed'] as const;
  // What the frame is called for those who hear a page instead of seeing it.
  const TITLES = new Map(
    Object.entries({
      en: 'Checkout',
      sv: 'Kassa',
      fi: 'Kassa',
      nb: 'Kasse',
      no: 'Kasse',
      da: 'Kasse',
      de: 'Kasse',
      fr: 'Paiement',
      nl: 'Afrekenen',
      es: 'Pago',
      pl: 'Kasa',
    }),
  );
  // About what an open checkout takes, so that the shop's page does not jump when it arrives.
  const HEIGHT_WHILE_LOADING = '480px';
  // The shape of a form in a grey that is seen on light and on dark pages, as long as the frame is empty.
  const SKELETON = [
    '0 4px / 38% 22px',
    ...[44, 108, 236, 300].map((top) => `0 ${top}px / 100% 48px`),
    '0 172px / 48% 48px',
    '100% 172px / 48% 48px',
    '0 396px / 100% 56px',
  ].map((place) => `linear-gradient(rgb(128 128 128 / 18%) 0 0) ${place} no-repeat`);
  // By then a slow phone has the frame; one that the browser refused to show never answers.
  const TIMEOUT_MS = 5_000;
  // Marks what is ours, for a second copy of this script in the same page, too.
  const OURS = Symbol.for('kassa.checkout');

  // The script's own address is known only now. A loader may have put the text in without it: then the tag is looked up.
  const own = document.currentScript;
  const source =
    (own instanceof HTMLScriptElement && own.src) ||
    document.querySelector<HTMLScriptElement>('script[src*="/v1/checkout.js"]')?.src;
  const base = /^(.+)\/v1\/checkout\.js(?:[?#].*)?$/i.exec(source ?? '')?.[1];

  function fail(text: string): never {
    console.error(`Kassa: ${text}`);
    throw new Error(`Kassa: ${text}`);
  }

  /** In the language that the checkout will choose: the shop's, or else the consumer's. */
  function titleOf(language = ''): string {
    const titles = [language, ...navigator.languages].map((tag) => TITLES.get(tag.slice(0, 2).toLowerCase()));
    return titles.find(Boolean) ?? 'Checkout';
  }

  /** A plain copy, because what frameworks make of an object cannot be sent. */
  const copy = (theme?: KassaTheme): unknown => theme && JSON.parse(JSON.stringify(theme));

  function findContainer(id = ''): Container {
    const ids = id ? [id] : CONTAINERS;
    const container = ids.map((name) => document.getElementById(name)).find(Boolean);
    if (container) return container;
    const wanted = id || 'kassa-checkout';
    return fail(
      `there is no element with the id "${wanted}". Put <div id="${wanted}"></div> into the page, before the script that calls new Kassa.Checkout, or name another element by containerId.`,
    );
  }

  function check({ checkoutKey, paymentId }: Partial<KassaCheckoutOptions>): void {
    if (/secret/i.test(String(checkoutKey)))
      fail(
        'checkoutKey holds a secret key. Everybody who opened this page can read it: revoke it now, keep the new one in your backend, and give the checkout key (test-checkout-key-… or live-checkout-key-…) here.',
      );
    if (!checkoutKey || typeof checkoutKey !== 'string')
      fail('checkoutKey is missing. Give the checkout key of your shop: test-checkout-key-… or live-checkout-key-….');
    if (!paymentId || typeof paymentId !== 'string')
      fail('paymentId is missing. Give the paymentId that your backend got from POST /v1/payments.');
    // A shop that came with its keys from elsewhere may have one without a prefix, or with the dashes of a GUID.
    if (!/^(?:(?:test|live)checkoutkey)?[0-9a-f]{32}$/i.test((checkoutKey ?? '').replaceAll('-', '')))
      fail('checkoutKey is none: it is test-checkout-key- or live-checkout-key- and 32 hex digits.');
    if (!/^[0-9a-f]{32}$/i.test((paymentId ?? '').replaceAll('-', '')))
      fail('paymentId is none: it has 32 hex digits, as your backend got it from POST /v1/payments.');
  }

  function open(options: KassaCheckoutOptions): KassaCheckout {
    check(options ?? {});
    if (!base) fail('load this script by <script src="…/v1/checkout.js"> from your Kassa: its address is needed.');
    const { checkoutKey, paymentId, containerId, language } = options;
    const container = findContainer(containerId);
    container[OURS]?.cleanup();

    const { origin } = new URL(base);
    const listeners = new Map<string, Listener>();
    const waiting: [type: string, data?: unknown][] = [];
    let theme = copy(options.theme);
    let changedLanguage = '';
    let frozen = false;
    let ready = false;
    const told = new Set<EventName>();

    const frame = document.createElement('iframe');
    frame.id = 'nets-checkout-iframe';
    frame.title = titleOf(language);
    frame.allow = 'payment';
    Object.assign(frame.style, { width: '100%', minHeight: HEIGHT_WHILE_LOADING, border: '0', display: 'block' });
    frame.src = `${base}/checkout/?${new URLSearchParams({ checkoutKey, paymentId, ...(language && { language }) })}`;

    frame.style.background = SKELETON.join();
    const isStill = window.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
    const pulse = isStill
      ? undefined
      : frame.animate?.({ opacity: [1, 0.5, 1] }, { duration: 1_600, iterations: Infinity });
    const showFrame = () => {
      pulse?.cancel();
      frame.style.background = '';
    };
    frame.addEventListener('load', showFrame, { once: true });

    // Only to Kassa's origin: whatever else the frame may have been led to hears nothing.
    const post = (type: string, data?: unknown) =>
      frame.contentWindow?.postMessage({ kassa: 1, type, data } satisfies Message, origin);
    const tell = (type: string, data?: unknown) => {
      if (ready) post(type, data);
      else waiting.push([type, data]);
    };
    // The frame asks whether the payment may go on only when somebody is there to answer.
    const greet = () => post('hello', { listens: [...listeners.keys()], theme });

    const noAnswer = setTimeout(
      () =>
        console.warn(
          `Kassa: the checkout does not answer. If its frame is empty, or says that the connection was refused, the browser did not show it: compare the checkout.url of payment ${paymentId} with this page. Only that origin may frame it (frame-ancestors), and this page is ${location.origin}; a payment that was made as HostedPaymentPage has a page of its own, which the origin of its returnUrl may frame. If this page has a Content-Security-Policy, its frame-src must allow ${origin}.`,
        ),
      TIMEOUT_MS,
    );

    function welcome(): void {
      clearTimeout(noAnswer);
      showFrame();
      greet();
      if (ready) {
        // The frame was loaded anew, by its own doing or because the shop moved it: it has forgotten all that was said.
        if (changedLanguage) post('language', changedLanguage);
        if (frozen) post('freeze');
        return;
      }
      ready = true;
      for (const [type, data] of waiting.splice(0)) post(type, data);
      listeners.get('ready')?.(undefined);
    }

    function hear(message: MessageEvent): void {
      if (message.origin !== origin || message.source !== frame.contentWindow) return;
      const { kassa, type, data } = Object(message.data) as Partial<Message>;
      if (kassa !== 1) return;
      if (type === 'ready') welcome();
      else if (type === 'height' && Number(data) > 0)
        Object.assign(frame.style, { height: `${Math.ceil(Number(data))}px`, minHeight: '' });
      else if (type === 'scroll-to-top') scrollToTop();
      else if (type === 'pay-initialized' && !listeners.has(type)) tell('payment-order-finalized', true);
      else if (type === 'payment-completed') for (const event of PAID) callOnce(event, data);
      else if (EVENTS.includes(type as EventName)) listeners.get(type as EventName)?.(data);
    }

    /** A payment is completed once, and some pages place the order when they hear of it. */
    function callOnce(event: EventName, data: unknown): void {
      const listener = listeners.get(event);
      if (!listener || told.has(event)) return;
      told.add(event);
      listener(data);
    }

    function scrollToTop(): void {
      const { top } = frame.getBoundingClientRect();
      if (top < 0 || top > window.innerHeight) frame.scrollIntoView();
    }

    const checkout: KassaCheckout = {
      on(event, listener) {
        if (!EVENTS.includes(event))
          return console.warn(`Kassa: there is no event "${event}". There are: ${EVENTS.join(', ')}.`);
        if (typeof listener !== 'function') fail(`on("${event}", …) needs a function to call.`);
        // One listener for each event: a page that subscribes again must not make its order twice.
        listeners.set(event, listener as Listener);
        if (ready) greet();
      },
      off(event) {
        if (listeners.delete(event) && ready) greet();
      },
      send(event, data) {
        if (event === 'payment-order-finalized') tell(event, Boolean(data as unknown));
        else if (event === 'payment-cancel-initiated') tell('cancel');
        else
          console.warn(
            `Kassa: "${String(event)}" cannot be sent, only "payment-order-finalized" and "payment-cancel-initiated".`,
          );
      },
      freezeCheckout() {
        frozen = true;
        tell('freeze');
      },
      thawCheckout() {
        frozen = false;
        tell('thaw');
      },
      setTheme(changed) {
        theme = copy(changed);
        tell('theme', theme);
      },
      setLanguage(changed) {
        changedLanguage = changed;
        frame.title = titleOf(changed);
        tell('language', changed);
      },
      completeApplePayShippingContactUpdate() {
        console.warn('Kassa: there is no Apple Pay in this checkout, and so none that waits for a new total.');
      },
      cleanup() {
        clearTimeout(noAnswer);
        window.removeEventListener('message', hear);
        listeners.clear();
        frame.remove();
        if (container[OURS] === checkout) delete container[OURS];
      },
    };

    window.addEventListener('message', hear);
    container.append(frame);
    container[OURS] = checkout;
    return checkout;
  }

  // Called with `new`, a function gives what it returns. These methods need no `this`: they work when they are handed
  // on alone, and behind a framework's proxy.
  const api = { Checkout: open as unknown as KassaScript['Checkout'], [OURS]: true };

  for (const name of NAMES) {
    // An element of that id is no global of its own, and what an earlier copy of this script left is ours to replace.
    if (!Object.getOwnPropertyDescriptor(window, name) || OURS in Object(window[name])) window[name] = api;
    else console.warn(`Kassa: window.${name} belongs to another script, and stays as it is.`);
  }
})();
