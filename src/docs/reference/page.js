// Scripts of the documentation: copy code, remember the language of examples, expand the operation in the URL, highlight
// the current section in the contents. The pages work without it.

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // The clipboard needs a secure context; without one, the code is at least selected.
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${figure.querySelector('figcaption').textContent}`);
  button.addEventListener('click', () => void copy(figure.querySelector('pre'), button));
  figure.append(button);
}

const LANGUAGE = 'kassa-docs-language';

/** The choice applies to all examples. */
function choose(language) {
  for (const input of document.querySelectorAll('.request input')) input.checked = input.value === language;
}

try {
  const known = localStorage.getItem(LANGUAGE);
  if (['curl', 'typescript', 'php', 'python'].includes(known)) choose(known);
} catch {
  // Without storage the choice lasts for one page.
}
addEventListener('change', ({ target }) => {
  if (!target.matches('.request input')) return;
  // Other examples above change their height, which must not move what is being read.
  const top = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy(0, target.getBoundingClientRect().top - top);
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // See above.
  }
});

// The reference used to be the first page, and old links still point there.
const { reference } = document.querySelector('main').dataset;
if (reference && location.hash && !document.getElementById(location.hash.slice(1)))
  location.replace(reference + location.hash);

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest('details.operation');
  if (!folded) return;
  folded.open = true;
  folded.scrollIntoView();
}

addEventListener('hashchange', openTarget);
openTarget();

const contents = document.querySelector('details.contents');
contents.addEventListener('click', (event) => {
  if (event.target.closest('a')) contents.open = false;
});

const links = new Map(
  Array.from(document.querySelectorAll('nav.side li a[href^="#"], nav.beside li a'), (link) => [
    link.hash.slice(1),
    link,
  ]),
);
const watcher = new IntersectionObserver(
  (entries) => {
    const seen = entries.find((entry) => entry.isIntersecting);
    if (!seen) return;
    for (const link of links.values()) link.removeAttribute('aria-current');
    links.get(seen.target.dataset.anchor ?? seen.target.id)?.setAttribute('aria-current', 'true');
  },
  { rootMargin: '-80px 0px -80% 0px' },
);
for (const id of links.keys()) {
  const target = document.getElementById(id);
  const watched = target?.closest('details.operation') ?? target;
  if (!watched) continue;
  watched.dataset.anchor = id;
  watcher.observe(watched);
}
