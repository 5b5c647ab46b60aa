// The reference of subscriptions: what a charge of one comes to, alone or as an entry of a bulk, by the card and the
// amount, in as few lines as can be, written from the documentation alone.

/** How a test card behaves when its subscription is charged. */
export type Card = 'approves' | 'declines softly' | 'has expired';

export type Model = {
  readonly card: Card;
  /** Its card was refused for good. */
  readonly needsCard: boolean;
};

export type Charged = {
  readonly outcome: 'charged' | 'declined' | 'refused';
  /** Of the answer to a single charge. */
  readonly status: number;
  readonly code?: string;
  /** Of the entry of a bulk. */
  readonly entryCode?: string;
  readonly next: Model;
};

const HARD = new Set(['04', '14', '15', '41', '43', '46', '54', '57']);

function issuerCodeOf({ card }: Model, amount: number): string | undefined {
  if (card === 'declines softly') return '51';
  if (card === 'has expired') return '54';
  return amount > 100 && amount < 200 ? String(amount - 100).padStart(2, '0') : undefined;
}

export function charge(model: Model, amount: number): Charged {
  if (model.needsCard) return { outcome: 'refused', status: 402, code: '1029', entryCode: '1029', next: model };
  const issuerCode = issuerCodeOf(model, amount);
  if (issuerCode === undefined) return { outcome: 'charged', status: 200, next: model };
  const isHard = HARD.has(issuerCode);
  const next = { ...model, needsCard: isHard };
  return { outcome: 'declined', status: 402, code: isHard ? '1029' : '1020', entryCode: issuerCode, next };
}

/** What is charged one after the other. */
export function chargeAll(model: Model, amounts: readonly number[]): { all: Charged[]; next: Model } {
  const all: Charged[] = [];
  let next = model;
  for (const amount of amounts) {
    const charged = charge(next, amount);
    all.push(charged);
    ({ next } = charged);
  }
  return { all, next };
}

export const replaceCard = (card: Card): Model => ({ card, needsCard: false });

/** A card that has expired is no good for a question either. */
export const verify = ({ card }: Model): 'Succeeded' | 'Failed' => (card === 'approves' ? 'Succeeded' : 'Failed');
