// Reads a setting that is a web address. Errors do not repeat it, since it may contain a password.
import { BadConfig } from './bad-config.ts';

export function readPublicUrl(setting: 'KASSA_PUBLIC_URL' | 'KASSA_CONSOLE_URL', text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '' || url.password !== '')
    throw new BadConfig(`${setting} must be a plain http or https address such as https://pay.example.com.`);
  return text.replace(/\/+$/, '');
}
