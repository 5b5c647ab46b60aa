// The test cards that a suite mostly needs, by what they do. Every one is in docs/integrate/test-cards.md.

export const cards = {
  approved: '4925000000000004',
  mastercard: '5413000000000000',
  /** The bank says no. */
  declined: '4925000000000087',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  /** The reservation is approved, and later the charge declined. */
  chargeDeclined: '4925000000000079',
  refundDeclined: '4000000000005126',
  /** The refund stays pending until `settleRefundInSandbox` says how it ends, or it is cancelled. */
  refundPending: '4000000000007726',
  cancelDeclined: '4925000000000061',
  /** The bank asks the consumer first (3-D Secure), then approves. */
  challenge: '4268270087374847',
  challengeDeclined: '4000008400001629',
  /** Approved; later charges of its subscription are declined. */
  renewalDeclined: '4000000000000341',
} as const;
