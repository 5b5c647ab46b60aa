// Every command there is, in the order of the help.
import { addAcquirerCommand, listAcquirersCommand, removeAcquirerCommand } from './commands/acquirer.ts';
import { bankBookCommand, bankCommand } from './commands/bank.ts';
import type { Command } from './terminal/command.ts';
import { erase } from './commands/erase.ts';
import { listEventsCommand, redeliverEventCommand, showEventCommand } from './commands/event.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './commands/key.ts';
import { listenCommand } from './commands/listen.ts';
import {
  createMerchantCommand,
  listMerchantsCommand,
  showMerchantCommand,
  updateMerchantCommand,
} from './commands/merchant.ts';
import { migrateCommand } from './commands/migrate.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { serve } from './commands/serve.ts';
import { triggerCommand } from './commands/trigger.ts';
import { verify } from './commands/verify.ts';
import {
  createWebhookCommand,
  deleteWebhookCommand,
  listWebhooksCommand,
  rotateWebhookCommand,
  showWebhookCommand,
  updateWebhookCommand,
} from './commands/webhook.ts';
import { listWebhookDeliveriesCommand } from './commands/webhook-deliveries.ts';
import { listRedeliveriesCommand, redeliverWebhookCommand } from './commands/webhook-redeliver.ts';
import { worker } from './commands/worker.ts';

export const commands: readonly Command[] = [
  serve,
  worker,
  migrateCommand,
  createMerchantCommand,
  listMerchantsCommand,
  showMerchantCommand,
  updateMerchantCommand,
  addAcquirerCommand,
  listAcquirersCommand,
  removeAcquirerCommand,
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  createWebhookCommand,
  listWebhooksCommand,
  showWebhookCommand,
  listWebhookDeliveriesCommand,
  updateWebhookCommand,
  deleteWebhookCommand,
  rotateWebhookCommand,
  redeliverWebhookCommand,
  listRedeliveriesCommand,
  listEventsCommand,
  showEventCommand,
  redeliverEventCommand,
  listenCommand,
  triggerCommand,
  verify,
  reconcileCommand,
  erase,
  bankCommand,
  bankBookCommand,
];
