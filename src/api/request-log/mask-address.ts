// The path of a request in the request log: its ids, and the parameters that identify nobody.
import { isOurId, MASK, maskName, maskText } from './mask-text.ts';
import { isShownParameter } from './shown-fields.ts';

const MOST_PARAMETERS = 40;

function maskPiece(piece: string): string {
  if (/^[a-z0-9-]{0,11}$/i.test(piece)) return piece;
  try {
    // Verbatim, if its decoded form may be shown.
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

/** A number may be spread over several segments; then none with a digit is shown, except for the version. */
function maskPath(path: string): string {
  const pieces = path.split('/');
  const shown = pieces.map(maskPiece);
  const spread = pieces.filter((piece, at) => piece === shown[at] && !isOurId(piece)).join('/');
  if (maskText(spread) !== MASK) return shown.join('/');
  return shown.map((piece) => (/\d|%/.test(piece) && piece !== 'v1' && !isOurId(piece) ? MASK : piece)).join('/');
}

export function maskAddress(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const shown = maskPath(path);
  if (rest.length === 0) return shown;
  const parameters = [...new URLSearchParams(rest.join('?'))];
  const more = parameters.length > MOST_PARAMETERS ? `&${MASK}` : '';
  return `${shown}?${parameters.slice(0, MOST_PARAMETERS).map(maskParameter).join('&')}${more}`;
}
