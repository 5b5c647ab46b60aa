// What a search of the documentation finds: the same in the page and in a test. Every word must be found, as a part of a
// word or, if it is short, at the beginning of one; a heading counts more than the text below it. A word that stands
// nowhere may be mistyped: then those one letter away count for it. What is the name of an operation or a field of the
// API leads to the reference first.

globalThis.kassaFind = (() => {
  // Of the page's name, the heading, the address and the text.
  const WEIGHTS = [4, 8, 2, 1];
  // More than the words of any heading: what is a name comes first.
  const OPERATION = 2_000;
  const FIELD = 1_000;
  // Whoever asks for a word of the left may find that of the right.
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
  // Two words that are one thing.
  const PHRASES = { 'google pay': 'applepay', 'charge back': 'chargeback' };
  // So short, it would stand in many others.
  const SHORT = 3;
  const MOST_COUNTED = 4;
  const MOST_WORDS = 8;
  const LETTER = /[\p{L}\d]/u;
  // Of a shorter word, one letter is too much of it.
  const SHORTEST_MISTYPED = 4;
  const MOST_MEANT = 5;

  /** Prepares the index that the server has made. */
  function read(index) {
    const entries = index.map((entry) => {
      const [page, heading, address, text, names = ''] = entry;
      // The end of an address repeats the heading.
      const texts = [page, heading, address.split('#', 1)[0], text].map((part) => ` ${part.toLowerCase()}`);
      return { entry, texts, operation: address.split('#')[1]?.toLowerCase(), fields: names.toLowerCase().split(' ') };
    });
    return { entries, vocabulary: undefined };
  }

  /** Every word of the documentation, made when the first one is mistyped. */
  function vocabularyOf(index) {
    index.vocabulary ??= new Set(index.entries.flatMap(({ texts }) => texts.join(' ').match(/[\p{L}\d_]{4,}/gu) ?? []));
    return index.vocabulary;
  }

  /** Whether one becomes the other by a letter more, less, another one, or two that changed places. */
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

  /** Each way in which a word may stand there: as it is, of one or of many, or by another name. */
  function spellingsOf(word) {
    const spellings = [word];
    if (word.length > SHORT && word.endsWith('s')) spellings.push(word.slice(0, -1));
    if (word.length > SHORT && word.endsWith('y')) spellings.push(`${word.slice(0, -1)}ies`);
    const same = spellings.flatMap((spelling) => (Object.hasOwn(SAME, spelling) ? SAME[spelling] : []));
    return [...spellings, ...same];
  }

  /** What begins a word counts twice as much as what stands in one; a text counts more the more often it has it. */
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

  /** What may be meant by a word that stands nowhere: whole words first, then what begins one. */
  function meantBy(index, word) {
    if (word.length < SHORTEST_MISTYPED) return [];
    const known = [...vocabularyOf(index), ...Object.keys(SAME)];
    const whole = known.filter((other) => isOneAway(word, other));
    const begun = () => known.map((other) => other.slice(0, word.length)).filter((other) => isOneAway(word, other));
    return [...new Set(whole.length > 0 ? whole : begun())].slice(0, MOST_MEANT);
  }

  /** The entries that have all words, the best first; the spellings that count; and what was read in place of others. */
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
