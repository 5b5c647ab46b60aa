// What the API reference does beyond showing itself: copies code, unfolds the operation that an address names, marks in
// the contents where the reader is. The page is whole without it.

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without a secure address there is no clipboard: then the code is at least selected.
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

const links = new Map(Array.from(document.querySelectorAll('nav.side li a'), (link) => [link.hash.slice(1), link]));
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
