// The one thing in the shop that is sold again and again: a form beside the cart, with what a subscription needs to know.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import { COFFEE, showMoney } from '../catalogue.ts';
import type { Currency } from '../catalogue.ts';
import { COFFEE_PICTURE } from './pictures.ts';

const INTERVALS = [
  [0, 'Whenever the shop ships'],
  [30, 'At most every 30 days'],
] as const;

export const coffeeForm = (currency: Currency): Html =>
  html`<form class="product subscribe" id="subscribe" aria-labelledby="coffee-title">
    <div class="picture coffee">${COFFEE_PICTURE}</div>
    <div class="about">
      <h2 id="coffee-title">${COFFEE.name} <span>${COFFEE.kind}</span></h2>
      <p>${COFFEE.what}</p>
      <strong class="price"
        ><span data-price="coffee">${showMoney(COFFEE.prices[currency], currency)}</span> a box</strong
      >
      <div class="choice">
        <label for="choice-interval">Charged again</label>
        <select id="choice-interval" name="interval" aria-describedby="interval-what">
          ${INTERVALS.map(([days, words]) => html`<option value="${days}">${words}</option>`)}
        </select>
        <p class="hint" id="interval-what">The first can be renewed at once; of the second, see it refused.</p>
      </div>
      <div class="buttons">
        <button class="primary" type="submit" name="mode" value="embedded">Subscribe here</button>
        <button class="second" type="submit" name="mode" value="hosted">Subscribe on its own page</button>
      </div>
      <p class="error" id="subscribe-error" role="alert" hidden></p>
    </div>
  </form>`;
