// All commands, in the order of the help. Each is loaded on demand, so that printing the version or the help does not wait
// for the database driver.
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
    summary: 'Deliver events, run bulk charges and delete expired data, in a process of its own.',
    alsoTried: ['deliver', 'work'],
    load: async () => (await import('./commands/worker.ts')).worker,
  },
  {
    name: 'migrate',
    summary: 'Migrate the database to the version of this program.',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'merchant create',
    summary: 'Create a merchant and its first secret key, which is shown only once.',
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
    summary: 'Disable a merchant: its keys stop working until it is enabled again.',
    load: async () => (await import('./commands/merchant.ts')).disableMerchantCommand,
  },
  {
    name: 'merchant enable',
    summary: 'Enable a disabled merchant: its keys work again.',
    load: async () => (await import('./commands/merchant.ts')).enableMerchantCommand,
  },
  {
    name: 'clock',
    summary: "Show a test merchant's clock, or move it forward.",
    load: async () => (await import('./commands/clock.ts')).clockCommand,
  },
  {
    name: 'acquirer add',
    summary: 'Add a remote acquirer, or change its address and key.',
    load: async () => (await import('./commands/acquirer.ts')).addAcquirerCommand,
  },
  {
    name: 'acquirer list',
    summary: 'List the remote acquirers, without their keys.',
    load: async () => (await import('./commands/acquirer.ts')).listAcquirersCommand,
  },
  {
    name: 'acquirer remove',
    summary: 'Remove an acquirer that no merchant or movement uses.',
    load: async () => (await import('./commands/acquirer.ts')).removeAcquirerCommand,
  },
  {
    name: 'user create',
    summary: 'Create a console user, and print a one-time sign-in link.',
    alsoTried: ['user add', 'user invite'],
    load: async () => (await import('./commands/user.ts')).createUserCommand,
  },
  {
    name: 'user list',
    summary: 'List the console users.',
    load: async () => (await import('./commands/user.ts')).listUsersCommand,
  },
  {
    name: 'user link',
    summary: 'Create a one-time sign-in link for a user.',
    load: async () => (await import('./commands/user.ts')).linkUserCommand,
  },
  {
    name: 'user unlock',
    summary: 'Unlock password sign-in after too many failed attempts.',
    load: async () => (await import('./commands/user.ts')).unlockUserCommand,
  },
  {
    name: 'user remove',
    summary: 'Remove a user from the console, or from one merchant.',
    load: async () => (await import('./commands/user.ts')).removeUserCommand,
  },
  {
    name: 'key create',
    summary: 'Create another secret key for a merchant; it is shown only once.',
    load: async () => (await import('./commands/key.ts')).createKeyCommand,
  },
  {
    name: 'key list',
    summary: "List a merchant's secret keys, by id and last four digits.",
    load: async () => (await import('./commands/key.ts')).listKeysCommand,
  },
  {
    name: 'key revoke',
    summary: 'Revoke a secret key, permanently and immediately.',
    load: async () => (await import('./commands/key.ts')).revokeKeyCommand,
  },
  {
    name: 'webhook create',
    summary: "Create a webhook for a merchant's events; its secret is shown only once.",
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
    summary: 'List the deliveries to a webhook and their latest responses, newest event first.',
    load: async () => (await import('./commands/webhook-deliveries.ts')).listWebhookDeliveriesCommand,
  },
  {
    name: 'webhook update',
    summary: 'Change the address or the events of a webhook, or enable or disable it.',
    load: async () => (await import('./commands/webhook.ts')).updateWebhookCommand,
  },
  {
    name: 'webhook delete',
    summary: 'Delete a webhook and its pending deliveries, permanently.',
    load: async () => (await import('./commands/webhook.ts')).deleteWebhookCommand,
  },
  {
    name: 'webhook rotate',
    summary: 'Create a new secret for a webhook; the old one also signs for another day.',
    load: async () => (await import('./commands/webhook.ts')).rotateWebhookCommand,
  },
  {
    name: 'webhook redeliver',
    summary: 'Resend all events since a given time to a webhook.',
    load: async () => (await import('./commands/webhook-redeliver.ts')).redeliverWebhookCommand,
  },
  {
    name: 'webhook redeliveries',
    summary: 'List the redeliveries to a webhook and their progress, newest first; or cancel one.',
    load: async () => (await import('./commands/webhook-redeliver.ts')).listRedeliveriesCommand,
  },
  {
    name: 'event list',
    summary: "List a merchant's latest events, newest last.",
    load: async () => (await import('./commands/event.ts')).listEventsCommand,
  },
  {
    name: 'event show',
    summary: 'Show one event: where it was sent, and the responses.',
    load: async () => (await import('./commands/event.ts')).showEventCommand,
  },
  {
    name: 'event redeliver',
    summary: 'Resend one event, to all its endpoints or to one webhook.',
    load: async () => (await import('./commands/event.ts')).redeliverEventCommand,
  },
  {
    name: 'payment list',
    summary: "List a merchant's payments, newest first.",
    load: async () => (await import('./commands/payment.ts')).listPaymentsCommand,
  },
  {
    name: 'payment show',
    summary: 'Show one payment: what was reserved, charged, refunded and cancelled.',
    load: async () => (await import('./commands/payment.ts')).showPaymentCommand,
  },
  {
    name: 'payment charge',
    summary: 'Charge a reserved payment.',
    load: async () => (await import('./commands/payment-move.ts')).chargePaymentCommand,
  },
  {
    name: 'payment refund',
    summary: 'Refund a charged payment.',
    load: async () => (await import('./commands/payment-move.ts')).refundPaymentCommand,
  },
  {
    name: 'payment cancel',
    summary: 'Cancel a reserved payment.',
    load: async () => (await import('./commands/payment-move.ts')).cancelPaymentCommand,
  },
  {
    name: 'subscription list',
    summary: "List a merchant's subscriptions, newest first.",
    load: async () => (await import('./commands/subscription.ts')).listSubscriptionsCommand,
  },
  {
    name: 'subscription show',
    summary: "Show one subscription: its terms, its card, its charges and the consumer's page.",
    load: async () => (await import('./commands/subscription.ts')).showSubscriptionCommand,
  },
  {
    name: 'subscription end',
    summary: 'End a subscription: it can no longer be charged.',
    load: async () => (await import('./commands/subscription.ts')).endSubscriptionCommand,
  },
  {
    name: 'listen',
    summary: "Forward a test merchant's events to an address on this machine, or print them, as they happen.",
    load: async () => (await import('./commands/listen.ts')).listenCommand,
  },
  {
    name: 'trigger',
    summary: 'Trigger an event, by taking a test payment through the steps that lead to it.',
    load: async () => (await import('./commands/trigger.ts')).triggerCommand,
  },
  {
    name: 'mirror',
    summary: "Repeat a shop's requests to the hosted service at Kassa, and compare the responses.",
    load: async () => (await import('./commands/mirror.ts')).mirrorCommand,
  },
  {
    name: 'load-sample',
    summary: 'Create sample payments of new test merchants, by the million.',
    load: async () => (await import('./commands/load-sample.ts')).loadSampleCommand,
  },
  {
    name: 'verify',
    summary: 'Recompute the books and check every invariant; exit code 1 on a difference.',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'doctor',
    summary: 'Check settings, database, clock, disk, certificates and acquirers, and suggest fixes.',
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
    summary: 'Print the audit as JSON lines, for a security event collector.',
    load: async () => (await import('./commands/audit-export.ts')).exportAuditCommand,
  },
  {
    name: 'backup',
    summary: 'Back up the embedded database to one file, whether Kassa is running or not.',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'Restore the embedded database from a backup, into an empty data folder.',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'reconcile',
    summary: "Compare our movements with an acquirer's book, line by line; exit code 1 on a difference.",
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  {
    name: 'erase',
    summary: "Erase a payment's personal data; its bookkeeping stays.",
    load: async () => (await import('./commands/erase.ts')).erase,
  },
  {
    name: 'bank',
    summary: 'Start a simulated bank: an acquirer with its own book, and faults on demand.',
    load: async () => (await import('./commands/bank.ts')).bankCommand,
  },
  {
    name: 'bank book',
    summary: "Print the bank's book as JSON, whether the bank is running or not.",
    load: async () => (await import('./commands/bank.ts')).bankBookCommand,
  },
  {
    name: 'testing',
    summary: 'Start Kassas for tests, each with its own port and database, on request through JSON lines.',
    load: async () => (await import('./commands/testing.ts')).testingCommand,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for bash, zsh or fish.',
    alsoTried: ['completions', 'autocomplete'],
    load: async () => (await import('./commands/completion.ts')).completionOf(loadAll),
  },
];

async function loadAll(): Promise<NamedCommand[]> {
  return Promise.all(commands.map(async (command) => ({ ...command, ...(await command.load()) })));
}
