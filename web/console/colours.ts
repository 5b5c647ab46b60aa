// A field for a colour, with a picker beside it: whichever is changed, the other one follows.

const COLOUR = /^#?([0-9a-f]{6})$/i;

export function startColours(): void {
  for (const picker of document.querySelectorAll<HTMLInputElement>('input[data-picks]')) {
    const field = document.querySelector<HTMLInputElement>(`#${picker.dataset['picks']}`);
    if (!field) continue;
    picker.hidden = false;
    picker.addEventListener('input', () => (field.value = picker.value));
    field.addEventListener('input', () => {
      const [, digits] = COLOUR.exec(field.value.trim()) ?? [];
      if (digits !== undefined) picker.value = `#${digits.toLowerCase()}`;
    });
  }
}
