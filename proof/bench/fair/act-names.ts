// The names of what a hostile merchant can do, as the command line and the report have them.

/** Each act, and what it is. */
export const ACTS = {
  flood: 'small creates, reads and charges, one after the other on every connection',
  hot: 'charges of one payment',
  keys: 'requests with random keys',
  large: 'creates as large as the service takes them',
  lists: 'lists of 100 of the largest payments',
  events: 'pages of 100 events of the largest payments',
  streams: 'twenty streams of all events that read nothing',
  hooks: 'creates with 32 hooks each, at names that are dead and at addresses that hang',
  redelivery: 'redeliveries of everything since 1970',
  invoices: 'invoices of 1,000 lines, left before they are printed',
  tries: 'failed tries on the pay page',
  viewer: 'the longest payment in the console, reloaded',
  checkout: 'the checkout of the longest order, reloaded',
  exports: 'exports of all payments',
  search: 'searches in the console',
  overview: 'overviews of 90 days',
  tail: 'twenty streams of all events, each read for a second',
  signin: 'wrong passwords, on 40 connections',
  docs: 'all that the documentation has, in every coding',
  pages: '/docs/api and /metrics, 32 requests at once on a connection',
} as const;
export type ActName = keyof typeof ACTS;
export const ACT_NAMES = Object.keys(ACTS) as ActName[];
