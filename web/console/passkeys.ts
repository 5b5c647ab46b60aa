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
  if (!answer.ok) throw new Refused(said.message ?? 'That did not work. Try again.', said.reason);
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

function explain(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof Error && error.name === 'InvalidStateError') return 'This device has a passkey for you already.';
  return 'No passkey was used. Try again when you are ready.';
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
    problem.textContent = explain(error);
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
