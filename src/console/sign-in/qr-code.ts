// A QR code as an element of the page: one path of black squares on white, in any theme, since cameras want it so.
import { encode } from 'uqr';
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

// What readers ask for around it.
const QUIET_ZONE = 4;

export function renderQrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const squares = data.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg
    class="qr-code"
    viewBox="0 0 ${size} ${size}"
    width="200"
    height="200"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${squares.join('')}" fill="#000" />
  </svg>`;
}
