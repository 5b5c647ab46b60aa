// The search of the documentation, shared by the page and its tests. Every word must be found, as part of a word or, if
// it is short, at the beginning of one. Headings count more than the text below them. A word without any match may be
// mistyped: then words one letter away count. Names of operations and API fields lead to the reference first.

globalThis.kassaFind = (() => {
  // The page's name, the heading, the URL and the text.
  const WEIGHTS = [4, 8, 2, 1];
  // More than the words of any heading: exact names come first.
  const OPERATION = 2_000;
  const FIELD = 1_000;
  // A search for a word on the left also finds the one on the right.
  const SAME = {
    '2fa': ['second factor', 'authenticator'],
    '3ds': ['3-d secure'],
    api: ['reference'],
    applepay: ['apple pay'],
    authorisation: ['reservation'],
    authorise: ['reserve'],
    authorization: ['reservation'],
    authorize: ['reserve'],
    buyer: ['consumer'],
    capture: ['charge'],
    chargeback: ['refund'],
    customer: ['consumer'],
    dispute: ['refund'],
    docker: ['compose', 'image'],
    gdpr: ['personal data'],
    hmac: ['signature'],
    idempotency: ['retries'],
    idempotent: ['retries'],
    install: ['run'],
    k8s: ['kubernetes', 'chart'],
    login: ['sign in', 'sign-in'],
    mfa: ['second factor', 'authenticator'],
    migrate: ['moving over'],
    migration: ['moving over'],
    monitoring: ['metrics'],
    partial: ['part'],
    preauth: ['reserve'],
    privacy: ['personal data'],
    recurring: ['subscription'],
    sca: ['3-d secure'],
    settlement: ['payout'],
    shopper: ['consumer'],
    sso: ['openid connect'],
    vat: ['tax'],
    void: ['cancel'],
  };
  // Two words with one meaning.
  const PHRASES = { 'google pay': 'applepay', 'charge back': 'chargeback' };
  // Shorter ones occur inside many other words.
  const SHORT = 3;
  const MOST_COUNTED = 4;
  const MOST_WORDS = 8;
  const LETTER = /[\p{L}\d]/u;
  // In a shorter word, one wrong letter is too much.
  const SHORTEST_MISTYPED = 4;
  const MOST_MEANT = 5;

  /** Prepares the index that the server has made. */
  function read(index) {
    const entries = index.map((entry) => {
      const [page, heading, address, text, names = ''] = entry;
      // The end of the URL repeats the heading.
      const texts = [page, heading, address.split('#', 1)[0], text].map((part) => ` ${part.toLowerCase()}`);
      return { entry, texts, operation: address.split('#')[1]?.toLowerCase(), fields: names.toLowerCase().split(' ') };
    });
    return { entries, vocabulary: undefined };
  }

  /** Every word of the documentation, collected at the first mistyped word. */
  function vocabularyOf(index) {
    index.vocabulary ??= new Set(index.entries.flatMap(({ texts }) => texts.join(' ').match(/[\p{L}\d_]{4,}/gu) ?? []));
    return index.vocabulary;
  }

  /** Whether the words differ by one inserted, removed, replaced or swapped letter. */
  function isOneAway(one, other) {
    if (Math.abs(one.length - other.length) > 1) return false;
    let at = 0;
    while (at < one.length && one[at] === other[at]) at += 1;
    const [rest, otherRest] = [one.slice(at), other.slice(at)];
    return (
      rest.slice(1) === otherRest.slice(1) ||
      rest.slice(1) === otherRest ||
      rest === otherRest.slice(1) ||
      (rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2))
    );
  }

  /** The forms of a word to search for: itself, its singular or plural, and its synonym. */
  function spellingsOf(word) {
    const spellings = [word];
    if (word.length > SHORT && word.endsWith('s')) spellings.push(word.slice(0, -1));
    if (word.length > SHORT && word.endsWith('y')) spellings.push(`${word.slice(0, -1)}ies`);
    const same = spellings.flatMap((spelling) => (Object.hasOwn(SAME, spelling) ? SAME[spelling] : []));
    return [...spellings, ...same];
  }

  /** A prefix counts twice as much as an inner match; more occurrences in a text count more. */
  function scoreIn(texts, word) {
    let best = 0;
    WEIGHTS.forEach((weight, index) => {
      const text = texts[index];
      let begins = 0;
      for (let at = text.indexOf(word); at !== -1 && begins < MOST_COUNTED; at = text.indexOf(word, at + 1))
        if (!LETTER.test(text[at - 1])) begins += 1;
      if (begins > 0) best = Math.max(best, weight * 2 + begins / MOST_COUNTED);
      else if (word.length > SHORT && text.includes(word)) best = Math.max(best, weight);
    });
    return best;
  }

  /** 0 if a word is missing. */
  function scoreOf({ texts, operation, fields }, words) {
    let sum = 0;
    for (const spellings of words) {
      const [asked] = spellings;
      const named = operation === asked ? OPERATION : fields.includes(asked) ? FIELD : 0;
      const best = named + Math.max(...spellings.map((word) => scoreIn(texts, word)));
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  }

  const isSomewhere = ({ entries }, spellings) =>
    entries.some(({ texts, fields }) => spellings.some((word) => fields.includes(word) || scoreIn(texts, word) > 0));

  /** What a word without matches may mean: whole words first, then prefixes. */
  function meantBy(index, word) {
    if (word.length < SHORTEST_MISTYPED) return [];
    const known = [...vocabularyOf(index), ...Object.keys(SAME)];
    const whole = known.filter((other) => isOneAway(word, other));
    const begun = () => known.map((other) => other.slice(0, word.length)).filter((other) => isOneAway(word, other));
    return [...new Set(whole.length > 0 ? whole : begun())].slice(0, MOST_MEANT);
  }

  /** The entries that have all words, the best first; the spellings that matched; and the corrections. */
  function find(index, query) {
    let text = query.toLowerCase().trim().replaceAll(/\s+/g, ' ');
    for (const [phrase, word] of Object.entries(PHRASES)) text = text.replaceAll(phrase, word);
    const meant = [];
    const words = text
      .split(' ')
      .filter(Boolean)
      .slice(0, MOST_WORDS)
      .map((word) => {
        const spellings = spellingsOf(word);
        if (isSomewhere(index, spellings)) return spellings;
        const others = meantBy(index, word);
        meant.push(...others);
        return others.length === 0 ? spellings : others.flatMap(spellingsOf);
      });
    const hits = words.length === 0 ? [] : index.entries.map((each) => ({ ...each, score: scoreOf(each, words) }));
    const found = hits.filter(({ score }) => score > 0).toSorted((one, other) => other.score - one.score);
    return { found: found.map(({ entry }) => entry), words: words.flat(), meant };
  }

  return { read, find };
})();
