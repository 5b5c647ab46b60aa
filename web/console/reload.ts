// A page on which something is under way draws itself anew after a while; not while somebody types.

export function startReload(): void {
  const { reload } = document.querySelector<HTMLElement>('[data-reload]')?.dataset ?? {};
  if (reload === undefined) return;
  const look = (): void =>
    void setTimeout(
      () => (document.activeElement?.matches('input, select') ? look() : location.reload()),
      Number(reload),
    );
  look();
}
