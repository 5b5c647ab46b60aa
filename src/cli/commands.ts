// Every command there is, in the order of the help. Each is loaded when it is asked for: whoever wants a version or a list
// does not wait for a database's driver.
import type { Command, NamedCommand, Outline } from './terminal/command.ts';

export type ListedCommand = Outline & { readonly load: () => Promise<Command> };

export const commands: readonly ListedCommand[] = [
  {
    name: 'serve',
    summary: 'Start the service.',
    alsoTried: ['start', 'run', 'server'],
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'worker',
    summary: 'Deliver events, and forget what is over, until it is ended.',
    alsoTried: ['deliver', 'work'],
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  {
    name: 'migrate',
    summary: "Bring the database to this program's version.",
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'merchant create',
    summary: 'Make a merchant and its first secret key, which is shown this once.',
    load: async () => (await import('./commands/merchant.ts')).createMerchantCommand,
  },
  {
    name: 'merchant list',
    summary: 'List the merchants.',
    load: async () => (await import('./commands/merchant.ts')).listMerchantsCommand,
  },
  {
    name: 'merchant show',
    summary: 'Show one merchant and its settings.',
    load: async () => (await import('./commands/merchant.ts')).showMerchantCommand,
  },
  {
    name: 'merchant update',
    summary: 'Change the settings of a merchant.',
    load: async () => (await import('./commands/merchant.ts')).updateMerchantCommand,
  },
  {
    name: 'merchant disable',
    summary: 'Take none of its keys any more, until it is enabled; its payments stay.',
    load: async () => (await import('./commands/merchant.ts')).disableMerchantCommand,
  },
  {
    name: 'merchant enable',
    summary: 'Take the keys of a disabled merchant again.',
    load: async () => (await import('./commands/merchant.ts')).enableMerchantCommand,
  },
  {
    name: 'clock',
    summary: "Show what time it is for a test merchant's payments, or move it forward.",
    load: async () => (await import('./commands/clock.ts')).clockCommand,
  },
  {
    name: 'acquirer add',
    summary: 'Name an acquirer on another machine, or change its address and key.',
    load: async () => (await import('./commands/acquirer.ts')).addAcquirerCommand,
  },
  {
    name: 'acquirer list',
    summary: 'List the acquirers on other machines, without their keys.',
    load: async () => (await import('./commands/acquirer.ts')).listAcquirersCommand,
  },
  {
    name: 'acquirer remove',
    summary: 'Forget an acquirer that no merchant and no movement names.',
    load: async () => (await import('./commands/acquirer.ts')).removeAcquirerCommand,
  },
  {
    name: 'user create',
    summary: 'Let a person into the console, and print a link that signs in once.',
    alsoTried: ['user add', 'user invite'],
    load: async () => (await import('./commands/user.ts')).createUserCommand,
  },
  {
    name: 'user list',
    summary: 'List the people who may enter the console.',
    load: async () => (await import('./commands/user.ts')).listUsersCommand,
  },
  {
    name: 'user link',
    summary: 'Make a link that signs a person in once.',
    load: async () => (await import('./commands/user.ts')).linkUserCommand,
  },
  {
    name: 'user unlock',
    summary: 'Unlock password sign-in after too many failed attempts.',
    load: async () => (await import('./commands/user.ts')).unlockUserCommand,
  },
  {
    name: 'user remove',
    summary: 'Take a person out of the console, or from one merchant.',
    load: async () => (await import('./commands/user.ts')).removeUserCommand,
  },
  {
    name: 'key create',
    summary: 'Make another secret key for a merchant; it is shown this once.',
    load: async () => (await import('./commands/key.ts')).createKeyCommand,
  },
  {
    name: 'key list',
    summary: "List a merchant's secret keys, by id and last digits.",
    load: async () => (await import('./commands/key.ts')).listKeysCommand,
  },
  {
    name: 'key revoke',
    summary: 'Revoke a secret key, for good and at once.',
    load: async () => (await import('./commands/key.ts')).revokeKeyCommand,
  },
  {
    name: 'webhook create',
    summary: 'Send the events of a merchant to an address; its secret is shown this once.',
    load: async () => (await import('./commands/webhook.ts')).createWebhookCommand,
  },
  {
    name: 'webhook list',
    summary: "List a merchant's webhooks, without their secrets.",
    load: async () => (await import('./commands/webhook.ts')).listWebhooksCommand,
  },
  {
    name: 'webhook show',
    summary: 'Show one webhook and its state, without its secret.',
    load: async () => (await import('./commands/webhook.ts')).showWebhookCommand,
  },
  {
    name: 'webhook deliveries',
    summary: 'List what was sent to a webhook, the newest event first, and what it answered last.',
    load: async () => (await import('./commands/webhook-deliveries.ts')).listWebhookDeliveriesCommand,
  },
  {
    name: 'webhook update',
    summary: 'Change the address or the events of a webhook, or switch it off and on.',
    load: async () => (await import('./commands/webhook.ts')).updateWebhookCommand,
  },
  {
    name: 'webhook delete',
    summary: 'Delete a webhook, for good and with what is on its way to it.',
    load: async () => (await import('./commands/webhook.ts')).deleteWebhookCommand,
  },
  {
    name: 'webhook rotate',
    summary: 'Make a new secret for a webhook; it is shown this once, and the old one signs as well for a day.',
    load: async () => (await import('./commands/webhook.ts')).rotateWebhookCommand,
  },
  {
    name: 'webhook redeliver',
    summary: 'Send a webhook again all that happened since a time.',
    load: async () => (await import('./commands/webhook-redeliver.ts')).redeliverWebhookCommand,
  },
  {
    name: 'webhook redeliveries',
    summary: 'List what was asked for again at a webhook, the newest first, and how far it is; or end one.',
    load: async () => (await import('./commands/webhook-redeliver.ts')).listRedeliveriesCommand,
  },
  {
    name: 'event list',
    summary: "List a merchant's latest events, the newest last.",
    load: async () => (await import('./commands/event.ts')).listEventsCommand,
  },
  {
    name: 'event show',
    summary: 'Show one event: to whom it was sent, and what they answered.',
    load: async () => (await import('./commands/event.ts')).showEventCommand,
  },
  {
    name: 'event redeliver',
    summary: 'Send one event again: to all who got it, or to one webhook.',
    load: async () => (await import('./commands/event.ts')).redeliverEventCommand,
  },
  {
    name: 'payment list',
    summary: "List a merchant's payments, the newest first.",
    load: async () => (await import('./commands/payment.ts')).listPaymentsCommand,
  },
  {
    name: 'payment show',
    summary: 'Show one payment: what was reserved, charged, refunded and cancelled.',
    load: async () => (await import('./commands/payment.ts')).showPaymentCommand,
  },
  {
    name: 'payment charge',
    summary: 'Charge what is reserved.',
    load: async () => (await import('./commands/payment-move.ts')).chargePaymentCommand,
  },
  {
    name: 'payment refund',
    summary: 'Refund what was charged.',
    load: async () => (await import('./commands/payment-move.ts')).refundPaymentCommand,
  },
  {
    name: 'payment cancel',
    summary: 'Cancel what is reserved.',
    load: async () => (await import('./commands/payment-move.ts')).cancelPaymentCommand,
  },
  {
    name: 'subscription list',
    summary: "List a merchant's subscriptions, the newest first.",
    load: async () => (await import('./commands/subscription.ts')).listSubscriptionsCommand,
  },
  {
    name: 'subscription show',
    summary: "Show one subscription: its terms, its card, its charges and the consumer's page.",
    load: async () => (await import('./commands/subscription.ts')).showSubscriptionCommand,
  },
  {
    name: 'subscription end',
    summary: 'End a subscription: nothing is charged any more.',
    load: async () => (await import('./commands/subscription.ts')).endSubscriptionCommand,
  },
  {
    name: 'listen',
    summary: "Bring a test merchant's events to an address of this machine, or show them, as they happen.",
    load: async () => (await import('./commands/listen.ts')).listenCommand,
  },
  {
    name: 'trigger',
    summary: 'Make an event happen: a real payment of a test merchant goes there, step by step.',
    load: async () => (await import('./commands/trigger.ts')).triggerCommand,
  },
  {
    name: 'mirror',
    summary: 'Ask a test merchant what a shop asks the hosted service, and compare the answers.',
    load: async () => (await import('./commands/mirror.ts')).mirrorCommand,
  },
  {
    name: 'load-sample',
    summary: 'Make payments that never were, by the million, of test merchants.',
    load: async () => (await import('./commands/load-sample.ts')).loadSampleCommand,
  },
  {
    name: 'verify',
    summary: 'Recompute the books and check every invariant; exit code 1 on a difference.',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'doctor',
    summary: 'Look at settings, database, clock, disk, certificates and acquirers, and say what to do.',
    alsoTried: ['check', 'status', 'diagnose', 'health'],
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'audit head',
    summary: 'Print the signed head of the audit, for kassa verify --audit-head.',
    load: async () => (await import('./commands/audit-head.ts')).auditHeadCommand,
  },
  {
    name: 'audit export',
    summary: 'Print the audit as lines of JSON, for a collector of security events.',
    load: async () => (await import('./commands/audit-export.ts')).exportAuditCommand,
  },
  {
    name: 'backup',
    summary: 'Copy the embedded database into one file, while Kassa runs or not.',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Make the embedded database anew out of a backup, where there is none.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'reconcile',
    summary: "Compare our movements with an acquirer's book, line by line; exit code 1 on a difference.",
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  {
    name: 'erase',
    summary: "Erase a payment's personal data; the books stay.",
    load: async () => (await import('./commands/erase.ts')).erase,
  },
  {
    name: 'bank',
    summary: 'Start a bank to try things on: an acquirer with a book of its own, and bad days on demand.',
    load: async () => (await import('./commands/bank.ts')).bankCommand,
  },
  {
    name: 'bank book',
    summary: "Print the bank's book as JSON, whether the bank runs or not.",
    load: async () => (await import('./commands/bank.ts')).bankBookCommand,
  },
  {
    name: 'testing',
    summary: 'Start Kassas for tests, each with a port and a database of its own, as lines of JSON ask for them.',
    load: async () => (await import('./commands/testing.ts')).testingCommand,
  },
  {
    name: 'completion',
    summary: 'Print the script by which bash, zsh or fish completes commands and options.',
    alsoTried: ['completions', 'autocomplete'],
    load: async () => (await import('./commands/completion.ts')).completionOf(loadAll),
  },
];

async function loadAll(): Promise<NamedCommand[]> {
  return Promise.all(commands.map(async (command) => ({ ...command, ...(await command.load()) })));
}
