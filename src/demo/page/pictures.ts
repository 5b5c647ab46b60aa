// The products, drawn. The colours are names in the style sheet, so that the pictures follow light and dark.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { ProductId } from '../catalogue.ts';

const mug = html`<svg viewBox="0 0 320 240" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
  <rect class="wall" width="320" height="240" />
  <circle class="light" cx="160" cy="104" r="78" />
  <path class="table" d="M0 186h320v54H0z" />
  <ellipse class="shade" cx="160" cy="197" rx="76" ry="9" />
  <path class="steam" d="M138 76c-9-11 9-17 0-29M160 70c-9-11 9-17 0-29M182 76c-9-11 9-17 0-29" />
  <path class="handle" d="M204 116c34-7 44 14 36 33-6 15-22 22-40 20" />
  <path class="clay" d="M108 96h104l-6 80c-1 12-8 18-20 18h-52c-12 0-19-6-20-18z" />
  <path class="glaze" d="M108 96h104l-3 38c-12 9-20-3-31 2-14 7-22 15-36 4-10-8-20 3-31-3z" />
  <ellipse class="rim" cx="160" cy="96" rx="52" ry="10" />
  <ellipse class="drink" cx="160" cy="97" rx="44" ry="7" />
</svg>`;

const lamp = html`<svg viewBox="0 0 320 240" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
  <rect class="wall" width="320" height="240" />
  <path class="beam" d="M122 106h76l62 92H60z" />
  <circle class="glow" cx="160" cy="94" r="80" />
  <path class="table" d="M0 194h320v46H0z" />
  <ellipse class="pool" cx="160" cy="202" rx="112" ry="10" />
  <path class="oak" d="M155 106h10v76h-10z" />
  <path class="oak" d="M126 200c0-13 12-20 34-20s34 7 34 20z" />
  <path class="linen" d="M134 42h52l28 66H106z" />
  <path class="weave" d="M147 42l-14 66M160 42v66M173 42l14 66" />
  <path class="hem" d="M106 108h108" />
  <path class="cord" d="M194 196c34 0 44-10 64-4s30 4 62 2" />
</svg>`;

const notebook = html`<svg
  viewBox="0 0 320 240"
  preserveAspectRatio="xMidYMid slice"
  aria-hidden="true"
  focusable="false"
>
  <rect class="wall" width="320" height="240" />
  <path class="table" d="M0 0h320v240H0z" />
  <g transform="rotate(-9 160 120)">
    <rect class="shade" x="104" y="43" width="126" height="168" rx="9" />
    <rect class="pages" x="102" y="38" width="124" height="166" rx="7" />
    <rect class="cover" x="96" y="34" width="124" height="166" rx="8" />
    <path class="spine" d="M104 34h10v166h-10a8 8 0 0 1-8-8V42a8 8 0 0 1 8-8z" />
    <rect class="label" x="134" y="66" width="64" height="40" rx="4" />
    <path class="line" d="M144 81h44M144 92h28" />
    <path class="band" d="M204 34v166" />
  </g>
  <g transform="rotate(24 258 128)">
    <rect class="pencil" x="252" y="62" width="12" height="102" />
    <path class="wood" d="M252 164h12l-6 20z" />
    <path class="lead" d="M256 177h4l-2 7z" />
    <rect class="rubber" x="252" y="52" width="12" height="12" rx="3" />
  </g>
</svg>`;

export const COFFEE_PICTURE = html`<svg
  viewBox="0 0 320 240"
  preserveAspectRatio="xMidYMid slice"
  aria-hidden="true"
  focusable="false"
>
  <rect class="wall" width="320" height="240" />
  <circle class="light" cx="236" cy="66" r="34" />
  <path class="table" d="M0 190h320v50H0z" />
  <ellipse class="shade" cx="154" cy="200" rx="76" ry="8" />
  <g transform="translate(40 50) scale(0.75)">
    <path class="bag" d="M72 74h72l8 122H64z" />
    <path class="fold" d="M70 74l6-20h64l6 20z" />
    <rect class="label" x="82" y="112" width="52" height="44" rx="4" />
    <path class="bean" d="M108 122c10 4 10 18 0 24-10-4-10-18 0-24zm0 0c4 8-4 16 0 24" />
    <path class="bag second" d="M168 90h64l8 106h-80z" />
    <path class="fold second" d="M166 90l6-18h56l6 18z" />
    <rect class="label" x="178" y="122" width="44" height="38" rx="4" />
    <path class="bean" d="M200 130c9 4 9 15 0 20-9-4-9-15 0-20zm0 0c4 7-4 13 0 20" />
  </g>
</svg>`;

export const PICTURES: Readonly<Record<ProductId, Html>> = { mug, lamp, notebook };
