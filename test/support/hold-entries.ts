// Loaded into a service before its program: every entry of a bulk that it claims is held for ever before its charge is
// begun, as by an acquirer that never answers.
import { subscribe } from 'node:diagnostics_channel';
import type { CheckpointMessage } from '../../src/ops/checkpoints.ts';

subscribe('kassa.checkpoint', (published) => {
  const message = published as CheckpointMessage;
  if (message.checkpoint === 'entry claimed') message.wait = new Promise(() => {});
});
