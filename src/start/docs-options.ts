// What the documentation of a running service links to, and whether it may show the sandbox's key.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { DocsOptions } from '../docs/site/served.ts';
import { isUsualFolder, quoteForShell } from './kassa-command.ts';
import { SANDBOX_FILE } from './sandbox.ts';
import type { KeylessSandbox, Sandbox } from './sandbox.ts';

/**
 * The key is shown under the same conditions as in the banner: on a terminal, for a sandbox, and only with the embedded
 * database and no public address. A console on its own port is not linked, since readers may not reach it.
 */
export function docsOf(
  config: Pick<Config, 'publicUrl' | 'databaseUrl' | 'dataDir' | 'demo' | 'console' | 'consolePort'>,
  sandbox: Sandbox | KeylessSandbox | undefined,
  consoleUrl: () => string,
  isTerminal = process.stdout.isTTY,
): DocsOptions {
  const hasKey = sandbox !== undefined && 'secretKey' in sandbox;
  const isTest = hasKey && sandbox.secretKey.startsWith('test-');
  const isOurOwn = config.publicUrl === undefined && config.databaseUrl === undefined;
  return {
    demo: config.demo && hasKey,
    ...(config.console && config.consolePort === undefined && { consoleUrl }),
    ...(isTest && isOurOwn && isTerminal && { secretKey: sandbox.secretKey }),
    ...(isTest &&
      isOurOwn &&
      !isUsualFolder(config) && { keysFile: quoteForShell(resolve(config.dataDir, SANDBOX_FILE)) }),
  };
}
