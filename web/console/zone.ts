// Fields for a time: shown and typed in the viewer's zone, which is named beside each, and sent as the exact moment. Without
// this script they are in UTC, as the page says.

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** As a field of a form takes it: in the viewer's zone, without saying so. */
function localTime(utc: string): string {
  const time = new Date(utc);
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

function startForm(form: HTMLFormElement): void {
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[data-utc]')];
  for (const field of fields) {
    if (field.dataset['utc']) field.value = localTime(field.dataset['utc']);
    const zone = field.closest('.field')?.querySelector('.zone');
    if (zone) zone.textContent = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
  form.addEventListener('formdata', ({ formData }) => {
    for (const { name, value } of fields)
      if (value !== '') formData.set(name, new Date(value).toISOString().replace(':00.000Z', 'Z'));
  });
}

export function startZones(): void {
  for (const form of document.forms) if (form.querySelector('input[data-utc]')) startForm(form);
}
