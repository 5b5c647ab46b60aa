// The overview, in English, which says what texts there are.

export const en = {
  orMore: '{count} or more',
  longPending: {
    one: '{number} outcome has not been known for more than ten minutes. Kassa goes on asking the acquirer; nothing is lost and nothing is done twice.',
    other:
      '{number} outcomes have not been known for more than ten minutes. Kassa goes on asking the acquirer; nothing is lost and nothing is done twice.',
  },
  expiring: {
    one: '{number} reservation ends within {days} days: {link}.',
    other: '{number} reservations end within {days} days: {link}.',
  },
  expiringLink: 'charge or cancel what is left',
  failing: {
    one: '{number} webhook fails at the moment; events are tried again for three days.',
    other: '{number} webhooks fail at the moment; events are tried again for three days.',
  },
  disabled: {
    one: '{number} webhook is switched off because of failures.',
    other: '{number} webhooks are switched off because of failures.',
  },
  differences: {
    one: '{number} difference between your books and those of {acquirer}, found on {time}. Look at it and ask the acquirer what it has of it; {command} lists all of it.',
    other:
      '{number} differences between your books and those of {acquirer}, found on {time}. Look at these payments and ask the acquirer what it has of them; {command} lists all of it.',
  },
  nothing: 'Nothing needs attention.',
  attention: 'Needs attention',
  charged: 'Charged',
  refunded: 'Refunded',
  net: 'Net',
  accepted: 'Accepted',
  averageOrder: 'Average order',
  charges: { one: '{count} charge', other: '{count} charges' },
  refunds: { one: '{count} refund', other: '{count} refunds' },
  netHint: 'charged less refunded',
  tries: '{accepted} of {tried} tries to pay',
  averageHint: 'of what was reserved',
  byDay: 'By day',
  chart: 'Charged and refunded in {currency} on each of {days} days; the table says the same.',
  bar: '{day}: {charged} charged, {refunded} refunded',
  chargedKey: 'charged',
  refundedKey: 'refunded',
  showFigures: 'Show the figures',
  none: 'Nothing was charged or refunded in {currency} in these {days} days',
  noneReserved: 'What is reserved waits to be charged.',
  showReserved: 'Show what is reserved',
  noneYet:
    'Each day gets a bar as soon as a payment is charged: here by hand, through the API, or at once when the consumer pays.',
  longer: 'Look at {days} days',
  day: 'Day (UTC)',
  other: 'Other',
  more: { one: 'and {count} more', other: 'and {count} more' },
  currency: 'Currency',
  period: 'Period',
  days: { one: '{count} day', other: '{count} days' },
  behind: 'Very much is new: some of the last minutes is not in these figures yet.',
  methods: 'How it was paid',
  declines: 'Why it was declined',
  noMethods: 'Nothing was charged in this time.',
  noDeclines: 'Nothing was declined in this time.',
  foot: 'Days are those of UTC. A movement counts for the day on which it was asked for.',
} as const;
