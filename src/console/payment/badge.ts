// Renders the coloured badge of a state.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';

export type Badge = { readonly text: string; readonly tone: 'good' | 'bad' | 'wait' | 'neutral' };

export const renderBadge = ({ text, tone }: Badge): Html => html`<span class="badge ${tone}">${text}</span>`;
