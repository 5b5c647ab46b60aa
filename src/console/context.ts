// What every route of the console needs.
import type { onRequestHookHandler } from 'fastify';
import type { SignInConfig } from '../config/sign-in.ts';
import type { CostlyWork } from '../server/costly-work.ts';
import type { PagePace } from '../server/page-pace.ts';
import type { Payments } from '../payments/service.ts';

export type FirstSignIn = {
  readonly email: string;
  readonly isInTerminal: boolean;
  /** How to run commands on this machine. */
  readonly command: string;
};

export type ConsoleContext = {
  readonly payments: Payments;
  /** The public address of the console, without a trailing slash. */
  readonly publicUrl: () => string;
  /** The public address of the API and checkout: the same, unless the console has its own port. */
  readonly shopUrl: () => string;
  /** How people sign in, besides links. */
  readonly signIn: SignInConfig;
  /** The user from the first start, as long as they can only sign in with a link. */
  readonly firstSignIn?: () => Promise<FirstSignIn | undefined>;
  /** The page of a form, by the path that the form is sent to. */
  readonly pageOfForm: (path: string) => string | undefined;
  /** For visitors who are not signed in. */
  readonly signInLimit: onRequestHookHandler;
  readonly pace: PagePace;
  readonly costly: CostlyWork;
  /** How many days API requests are kept; 0: not at all. */
  readonly requestLogDays: number;
  /** The merchant that the demo shop sells for, where there is one. */
  readonly demoMerchantId?: number;
  /** Whether test merchants' hooks may be private addresses. */
  readonly privateHooks: boolean;
};

/** The base path of the service. */
export const rootOf = ({ publicUrl }: Pick<ConsoleContext, 'publicUrl'>): string =>
  new URL(publicUrl()).pathname.replace(/\/$/, '');
