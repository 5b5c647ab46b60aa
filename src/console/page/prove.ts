// The page where people confirm their identity before a sensitive action.
import { html } from '../../pages/html.ts';
import type { Html } from '../../pages/html.ts';
import type { Language } from '../../pages/language.ts';
import { consoleTexts, fill } from '../texts.ts';
import { renderOwnPage } from './account.ts';
import type { Account } from './account.ts';
import { renderCopy } from './pieces.ts';
import type { KeptForm } from '../kept-form.ts';
import { onwardOf } from '../proof.ts';
import type { AskedProof } from '../proof.ts';
import { renderOutside } from './outside.ts';
import { codeField, passkeyButton, providerLink } from './sign-in.ts';

// Of these one thing has a page of its own.
const WITH_PAGES = new Set(['payments', 'webhooks']);

/** The page that asked, by its name, and the way back to it; not to the act itself, which would ask again. */
function askedAt(root: string, next: string, language: Language): { readonly page?: string; readonly back: string } {
  const { account, pages } = consoleTexts(language).frame;
  const [merchant = '', name = '', id = ''] = next.slice(`${root}/console/`.length).split(/[/?]/);
  if (merchant === 'account') return { page: account, back: `${root}/console/account` };
  if (!Object.hasOwn(pages, name)) return { back: `${root}/console` };
  const back = `${root}/console/${merchant}/${name}`;
  const page = pages[name as keyof typeof pages];
  return { page, back: WITH_PAGES.has(name) && id !== '' ? `${back}/${id}` : back };
}

/** What was typed is sent on by the script; without one, by its button. */
export function renderKeptForm(language: Language, root: string, { action, fields }: KeptForm): string {
  const { proved, sendOn, onItsWay } = consoleTexts(language).signIn;
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const form = html`<form method="post" action="${action}">
    <p>${onItsWay}</p>
    ${inputs}
    <button class="primary">${sendOn}</button>
  </form>`;
  return renderOutside(language, root, proved, 'kept-form', form);
}

export function renderProve(account: Account, asked: AskedProof, problem?: Html): string {
  const { isAgain, form } = asked;
  const { root, visitor, passkeys, password, origin } = account;
  const { oidc, onlyOidc } = account.signIn;
  const next = onwardOf(root, asked);
  const { language } = visitor;
  const texts = consoleTexts(language).signIn;
  const hasPasskey = !onlyOidc && passkeys.length > 0 && origin !== undefined;
  const hasCode = !onlyOidc && password !== undefined;
  const command = `npx kassa user link ${visitor.person.email}`;
  const byLink = html`<p>${texts.proofByLink}</p>
    <div class="once"><code>${command}</code> ${renderCopy(command, language)}</div>
    <p class="hint">${texts.linkLeadsBack}</p>`;
  const { page, back } = askedAt(root, asked.next, language);
  const content = html`<section class="panel prove">
    <p>${page === undefined ? texts.proofNeeded : fill(texts.proofNeededAt, { page })}</p>
    ${form !== undefined && html`<p>${texts.formIsKept}</p>`} ${isAgain && html`<p>${texts.doAgain}</p>`}
    ${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${hasPasskey && passkeyButton(language, { origin, what: 'prove', next, label: texts.usePasskey })}
    ${
      hasCode &&
      html`<form class="stack" method="post" action="${root}/console/prove">
        <input type="hidden" name="next" value="${next}" />
        ${codeField(language)}
        <button class="${hasPasskey ? '' : 'primary'}">${texts.useCode}</button>
      </form>`
    }
    ${oidc !== undefined && providerLink(root, next, texts.companyAgain, true)}
    ${!hasPasskey && !hasCode && oidc === undefined && byLink}
    <p><a href="${back}">${consoleTexts(language).frame.back}</a></p>
  </section>`;
  return renderOwnPage(account, texts.stillYou, 'prove', content);
}
