// The search field. Its index is a script that is loaded at the first use; find.js searches it.

{
  const box = document.querySelector('.search');
  const field = box.querySelector('input');
  const found = box.querySelector('.found');
  const status = found.querySelector('p');
  const list = found.querySelector('ul');
  const MOST_FOUND = 12;
  const MOST_SHOWN = 150;
  // How much of the text is shown before the first match.
  const SHOWN_BEFORE = 40;

  let index;
  let loading;
  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = box.dataset.index;
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
      document.head.append(script);
    }).then(() => {
      index = kassaFind.read(kassaIndex);
    });
    return loading;
  }

  function piece(name, text) {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  }

  /** The position of a word in a text, preferably at the beginning of a word; -1 if it is missing. */
  function placeOf(text, word) {
    const begins = ` ${text}`.indexOf(` ${word}`);
    return begins === -1 ? text.indexOf(word) : begins;
  }

  /** The excerpt of a text to show: where most of the words are, or else its beginning. */
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

  /** The excerpt, with the words highlighted. */
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
    if (field.value.trim() === '') return close();
    try {
      await load();
    } catch {
      loading = undefined;
      status.textContent = 'The search could not be loaded. Try again.';
      list.replaceChildren();
      found.hidden = false;
      return;
    }
    const { found: hits, words, meant } = kassaFind.find(index, field.value);
    const best = hits.slice(0, MOST_FOUND);
    const count = hits.length > best.length ? `The best ${best.length} of ${hits.length}` : `${hits.length} found`;
    const read = meant.length === 0 ? '' : ` for ${meant.map((word) => `“${word}”`).join(', ')}`;
    status.textContent = hits.length === 0 ? 'Nothing was found.' : count + read;
    list.replaceChildren(...best.map((entry) => rowOf(entry, words)));
    found.hidden = false;
  }

  function close() {
    found.hidden = true;
  }

  // On a 404 page, the last part of the URL becomes the search.
  if (document.querySelector('[data-missing]')) {
    field.value = location.pathname
      .replace(/\.\w+$|\/$/, '')
      .replace(/.*\//, '')
      .replaceAll(/\W+|_/g, ' ');
    field.addEventListener('focus', () => field.select(), { once: true });
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
