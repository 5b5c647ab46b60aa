// The search: its index is a script that is loaded when the field is first used. Every word must be found, as a part of a
// word; a heading counts more than the text below it.

{
  const box = document.querySelector('.search');
  const field = box.querySelector('input');
  const found = box.querySelector('.found');
  const status = found.querySelector('p');
  const list = found.querySelector('ul');
  const MOST_FOUND = 12;
  const WEIGHTS = [4, 8, 0, 1, 1];

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
      entries = kassaIndex.map((entry) => ({ entry, texts: entry.map((text) => ` ${text.toLowerCase()}`) }));
    });
    return loading;
  }

  /** 0 if a word is missing; what begins a word counts twice as much as what stands in one. */
  function scoreOf(texts, words) {
    let sum = 0;
    for (const word of words) {
      let best = 0;
      WEIGHTS.forEach((weight, index) => {
        if (texts[index].includes(word)) best = Math.max(best, texts[index].includes(` ${word}`) ? weight * 2 : weight);
      });
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

  function rowOf([page, heading, address, start]) {
    const row = document.createElement('li');
    const link = document.createElement('a');
    link.href = box.dataset.root + address;
    link.append(piece('strong', heading));
    if (page !== heading) link.append(piece('small', page));
    link.append(piece('span', start));
    row.append(link);
    return row;
  }

  async function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
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
    const shown = hits.slice(0, MOST_FOUND);
    status.textContent =
      hits.length === 0
        ? 'Nothing was found.'
        : hits.length > shown.length
          ? `The best ${shown.length} of ${hits.length}`
          : `${hits.length} found`;
    list.replaceChildren(...shown.map(({ entry }) => rowOf(entry)));
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
