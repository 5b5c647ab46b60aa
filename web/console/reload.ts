// A page on which something is under way draws itself anew after a while; not while somebody types, and not where it tells
// something this once, or is the answer to a form, which would be sent again.
import { reloadInBackground } from './background.ts';

export function startReload(): void {
  const { reload, reloadAt } = document.querySelector<HTMLElement>('[data-reload]')?.dataset ?? {};
  if (reload === undefined || location.pathname !== reloadAt || location.search.includes('told=')) return;
  const look = (): void =>
    void setTimeout(
      () => (document.activeElement?.matches('input, select') ? look() : reloadInBackground()),
      Number(reload),
    );
  look();
}
