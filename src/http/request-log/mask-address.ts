// The path of a request as the request log keeps it: its ids, and of its parameters those that name nobody.
import { MASK, maskName, maskText } from './mask-text.ts';
import { isShownParameter } from './shown-fields.ts';

const MOST_PARAMETERS = 40;

function maskPiece(piece: string): string {
  if (/^[a-z0-9-]{0,11}$/i.test(piece)) return piece;
  try {
    // As it is spelled, if what it spells may be shown.
    const text = decodeURIComponent(piece);
    return maskText(text) === text ? piece : MASK;
  } catch {
    return MASK;
  }
}

function maskParameter([name, value]: readonly [string, string]): string {
  const shown = isShownParameter(name) ? maskText(value) : MASK;
  return `${maskName(name)}=${shown === value ? encodeURIComponent(value) : shown}`;
}

export function maskAddress(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const shown = path.split('/').map(maskPiece).join('/');
  if (rest.length === 0) return shown;
  const parameters = [...new URLSearchParams(rest.join('?'))];
  const more = parameters.length > MOST_PARAMETERS ? `&${MASK}` : '';
  return `${shown}?${parameters.slice(0, MOST_PARAMETERS).map(maskParameter).join('&')}${more}`;
}
