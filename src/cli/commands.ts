// Every command there is, in the order of the help.
import { addAcquirerCommand, listAcquirersCommand } from './acquirer.ts';
import { bankBookCommand, bankCommand } from './bank.ts';
import type { Command } from './command.ts';
import { erase } from './erase.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key.ts';
import { createMerchantCommand, listMerchantsCommand, showMerchantCommand, updateMerchantCommand } from './merchant.ts';
import { migrateCommand } from './migrate.ts';
import { reconcileCommand } from './reconcile.ts';
import { serve } from './serve.ts';
import { verify } from './verify.ts';

export const commands: readonly Command[] = [
  serve,
  migrateCommand,
  createMerchantCommand,
  listMerchantsCommand,
  showMerchantCommand,
  updateMerchantCommand,
  addAcquirerCommand,
  listAcquirersCommand,
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
  verify,
  reconcileCommand,
  erase,
  bankCommand,
  bankBookCommand,
];
