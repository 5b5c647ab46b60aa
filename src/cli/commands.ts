// Every command there is, in the order of the help.
import { addAcquirerCommand, listAcquirersCommand, removeAcquirerCommand } from './acquirer.ts';
import { bankBookCommand, bankCommand } from './bank.ts';
import type { Command } from './command.ts';
import { erase } from './erase.ts';
import { listEventsCommand, redeliverEventCommand, showEventCommand } from './event.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key.ts';
import { listenCommand } from './listen.ts';
import { createMerchantCommand, listMerchantsCommand, showMerchantCommand, updateMerchantCommand } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { reconcileCommand } from './reconcile.ts';
import { serve } from './serve.ts';
import { triggerCommand } from './trigger.ts';
import { verify } from './verify.ts';
import {
  createWebhookCommand,
  deleteWebhookCommand,
  listWebhooksCommand,
  rotateWebhookCommand,
  showWebhookCommand,
  updateWebhookCommand,
} from './webhook.ts';
import { listWebhookDeliveriesCommand } from './webhook-deliveries.ts';
import { listRedeliveriesCommand, redeliverWebhookCommand } from './webhook-redeliver.ts';
import { worker } from './worker.ts';

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
