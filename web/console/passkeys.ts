// Buttons that sign in, prove or add by a passkey. Where the browser has none, or the page is seen under an address that
// passkeys were not made for, they stay away.
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

const root = document.body.dataset['root'] ?? '';

class Refused extends Error {
  readonly reason: string | undefined;
  constructor(message: string, reason: string | undefined) {
    super(message);
    this.reason = reason;
  }
}

async function post(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${root}/console/api/passkeys/${path}`, {
    method: 'POST',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const said = (await answer.json().catch(() => ({}))) as { message?: string; reason?: string };
  if (!answer.ok) throw new Refused(said.message ?? '', said.reason);
  return said;
}

const nameOfNew = (): string => document.querySelector<HTMLInputElement>('#passkey-name')?.value ?? '';

async function act(what: string): Promise<void> {
  const options = await post(`${what}/options`);
  if (what === 'add') {
    const response = await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
    await post(what, { response, name: nameOfNew() });
  } else {
    const response = await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
    await post(what, { response });
  }
}

/** What the page was given to say. */
type Texts = Readonly<Record<'failed' | 'known' | 'notUsed', string>>;

function explain(error: unknown, texts: Texts): string {
  if (error instanceof Refused) return error.message || texts.failed;
  return error instanceof Error && error.name === 'InvalidStateError' ? texts.known : texts.notUsed;
}

function prepare(button: HTMLButtonElement): void {
  const { passkey: what = '', origin, next: onward = '' } = button.dataset;
  const beside = (name: string): HTMLElement | null | undefined => button.parentElement?.querySelector(`[${name}]`);
  const elsewhere = beside('data-passkey-elsewhere');
  if (origin !== location.origin) return elsewhere?.removeAttribute('hidden');
  if (!browserSupportsWebAuthn()) return;
  button.hidden = false;
  const problem = beside('data-passkey-error');
  const onFailure = (error: unknown): void => {
    if (error instanceof Refused && error.reason === 'proof_needed')
      return location.assign(`${root}/console/prove?next=${encodeURIComponent(location.pathname)}`);
    button.disabled = false;
    if (!problem) return;
    problem.textContent = explain(error, JSON.parse(button.dataset['texts'] ?? '') as Texts);
    problem.hidden = false;
  };
  button.addEventListener('click', () => {
    button.disabled = true;
    problem?.setAttribute('hidden', '');
    act(what).then(() => location.assign(onward), onFailure);
  });
}

export function preparePasskeys(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) prepare(button);
}
