// The original values of the settings form. They are submitted with it, so that saving only changes edited fields, not
// those that others have changed meanwhile.
import type { Merchant } from '../../domain/merchant.ts';
import { showRefundProof } from '../../domain/refund-proof.ts';

type Fields = Readonly<Record<string, string | undefined>>;

/** The fields as a browser sends them where nothing is changed. */
export function showFields(merchant: Merchant): string {
  const { name, dialect, colour, refundProof, strictItems, reserveOnDemand, secondFactor } = merchant;
  return JSON.stringify({
    name,
    dialect,
    colour: colour ?? '',
    refundProof: showRefundProof(refundProof ?? {}),
    ...(secondFactor && { secondFactor: 'on' }),
    ...(strictItems && { strictItems: 'on' }),
    ...(reserveOnDemand && { reserveOnDemand: 'on' }),
  });
}

function readShown(text: string | undefined): Fields | undefined {
  try {
    const shown: unknown = JSON.parse(text ?? '');
    return typeof shown === 'object' && shown !== null ? (shown as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a field is not what the form showed; of a form that does not tell, all are taken as they are. */
export function changesIn(fields: Fields): (name: string) => boolean {
  const shown = readShown(fields['shown']);
  return (name) => shown === undefined || (fields[name] ?? '') !== (shown[name] ?? '');
}
