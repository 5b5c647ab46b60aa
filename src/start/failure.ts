// What a person is told when a command throws: one sentence where they can mend it; anything else is a defect and keeps
// its stack.
import { BadConfig } from '../config/bad-config.ts';
import { FolderRefused } from '../folders/own-file.ts';
import { UserError } from '../ops/user-error.ts';
import { DatabaseMisfit } from '../store/schema/database-misfit.ts';

const MENDABLE = [UserError, BadConfig, FolderRefused, DatabaseMisfit];

export function describeFailure(error: unknown): string {
  const isMendable = MENDABLE.some((kind) => error instanceof kind);
  return `kassa: ${isMendable ? (error as Error).message : String((error as Error).stack ?? error)}\n`;
}
