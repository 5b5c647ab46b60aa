// The search: its index is a script that is loaded when the field is first used. Every word must be found, as a part of a
// word or, if it is short, at the beginning of one; a heading counts more than the text below it.

{
  const box = document.querySelector('.search');
  const field = box.querySelector('input');
  const found = box.querySelector('.found');
  const status = found.querySelector('p');
  const list = found.querySelector('ul');
  const MOST_FOUND = 12;
  // Of the page's name, the heading, the address and the text.
  const WEIGHTS = [4, 8, 2, 1];
  // Whoever asks for a word of the left may find that of the right.
  const SAME = {
    '3ds': '3-d secure',
    api: 'reference',
    customer: 'consumer',
    gdpr: 'personal data',
    idempotency: 'retries',
    idempotent: 'retries',
    install: 'run',
    migrate: 'moving over',
    migration: 'moving over',
    partial: 'part',
    privacy: 'personal data',
    vat: 'tax',
  };
  // So short, it would stand in many others.
  const SHORT = 3;
  const MOST_COUNTED = 4;
  const LETTER = /[\p{L}\d]/u;
  const MOST_SHOWN = 150;
  // So much of it stands before the first word that was asked for.
  const SHOWN_BEFORE = 40;

  let entries;
  let loading;
  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = box.dataset.index;
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
      document.head.append(script);
    }).then(() => {
      entries = kassaIndex.map((entry) => {
        // The end of an address repeats the heading.
        const texts = entry.with(2, entry[2].split('#', 1)[0]).map((text) => ` ${text.toLowerCase()}`);
        return { entry, texts };
      });
    });
    return loading;
  }

  /** Each way in which a word may stand there: as it is, of one or of many, or by another name. */
  function spellingsOf(word) {
    const spellings = [word];
    if (word.length > SHORT && word.endsWith('s')) spellings.push(word.slice(0, -1));
    if (word.length > SHORT && word.endsWith('y')) spellings.push(`${word.slice(0, -1)}ies`);
    if (Object.hasOwn(SAME, word)) spellings.push(SAME[word]);
    return spellings;
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
  function scoreOf(texts, words) {
    let sum = 0;
    for (const spellings of words) {
      const best = Math.max(...spellings.map((word) => scoreIn(texts, word)));
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  }

  function piece(name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }

  /** Where a word stands in a text, at the beginning of a word if it does so anywhere; -1 if it does not. */
  function placeOf(text, word) {
    const begins = ` ${text}`.indexOf(` ${word}`);
    return begins === -1 ? text.indexOf(word) : begins;
  }

  /** From where to where a text is shown: where most of the words stand, or else from its beginning. */
  function excerptOf(text, words) {
    const lower = text.toLowerCase();
    let [from, most] = [0, 0];
    for (const word of words) {
      const place = placeOf(lower, word);
      if (place === -1) continue;
      const space = lower.indexOf(' ', place - SHOWN_BEFORE - 1);
      const isBefore = space !== -1 && space < place;
      const begin = place <= SHOWN_BEFORE ? 0 : isBefore ? space + 1 : place - SHOWN_BEFORE;
      const near = lower.slice(begin, begin + MOST_SHOWN);
      const count = words.filter((other) => placeOf(near, other) !== -1).length;
      if (count > most) [from, most] = [begin, count];
    }
    if (text.length - from <= MOST_SHOWN) return [from, text.length];
    const end = text.lastIndexOf(' ', from + MOST_SHOWN);
    return [from, end > from ? end : from + MOST_SHOWN];
  }

  /** The text as it is shown, with the words marked. */
  function shown(text, words) {
    const [from, to] = excerptOf(text, words);
    const part = text.slice(from, to);
    const lower = part.toLowerCase();
    const element = piece('span', from === 0 ? '' : '… ');
    for (let at = 0; at < part.length;) {
      const next = words
        .map((word) => ({ word, place: lower.indexOf(word, at) }))
        .filter(({ place }) => place !== -1)
        .toSorted((one, other) => one.place - other.place || other.word.length - one.word.length)[0];
      element.append(part.slice(at, next?.place));
      if (next === undefined) break;
      element.append(piece('mark', part.slice(next.place, next.place + next.word.length)));
      at = next.place + next.word.length;
    }
    if (to < text.length) element.append(' …');
    return element;
  }

  function rowOf([page, heading, address, text], words) {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = box.dataset.root + address;
    link.append(piece('strong', heading));
    if (page !== heading) link.append(piece('small', page));
    link.append(shown(text, words));
    row.append(link);
    return row;
  }

  async function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8).map(spellingsOf);
    if (words.length === 0) return close();
    try {
      await load();
    } catch {
      loading = undefined;
      status.textContent = 'The search could not be loaded. Try again.';
      list.replaceChildren();
      found.hidden = false;
      return;
    }
    const hits = entries
      .map(({ entry, texts }) => ({ entry, score: scoreOf(texts, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score);
    const best = hits.slice(0, MOST_FOUND);
    status.textContent =
      hits.length === 0
        ? 'Nothing was found.'
        : hits.length > best.length
          ? `The best ${best.length} of ${hits.length}`
          : `${hits.length} found`;
    list.replaceChildren(...best.map(({ entry }) => rowOf(entry, words.flat())));
    found.hidden = false;
  }

  function close() {
    found.hidden = true;
  }

  box.hidden = false;
  field.addEventListener('focus', () => load().catch(() => (loading = undefined)), { once: true });
  field.addEventListener('input', () => void search());
  field.addEventListener('focus', () => field.value && void search());
  box.addEventListener('focusout', (event) => {
    if (!box.contains(event.relatedTarget)) close();
  });
  list.addEventListener('click', close);
  box.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      field.focus();
      close();
    } else if (event.key === 'ArrowDown' && !found.hidden) links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? field).focus();
    else if (event.key === 'Enter' && at < 0) links[0]?.click();
    else return;
    event.preventDefault();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:input|textarea)$/i.test(event.target.tagName))
      return;
    event.preventDefault();
    field.focus();
  });
}
