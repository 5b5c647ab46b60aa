// What every route of the console needs.
import type { onRequestHookHandler } from 'fastify';
import type { SignInConfig } from '../config/sign-in.ts';
import type { CostlyWork } from '../server/costly-work.ts';
import type { PagePace } from '../server/page-pace.ts';
import type { Payments } from '../payments/service.ts';

export type FirstWayIn = {
  readonly email: string;
  readonly isInTerminal: boolean;
  /** How commands are run, for who sits at this machine. */
  readonly command: string;
};

export type ConsoleContext = {
  readonly payments: Payments;
  /** Where people reach the console, without a slash at the end. */
  readonly publicUrl: () => string;
  /** Where shops and consumers reach the API and the checkout: the same, unless the console has a port of its own. */
  readonly shopUrl: () => string;
  /** How people come in beside links. */
  readonly signIn: SignInConfig;
  /** The one whom the first start made, for as long as only a link lets that one in; and whether a terminal shows it. */
  readonly firstWayIn?: () => Promise<FirstWayIn | undefined>;
  /** The path of the page on which a form stands, by the path that the form is sent to. */
  readonly pageOfForm: (path: string) => string | undefined;
  /** Of who is not in yet. */
  readonly atTheDoor: onRequestHookHandler;
  readonly pace: PagePace;
  readonly costly: CostlyWork;
  /** For how many days requests to the API are kept; 0: they are not. */
  readonly requestLogDays: number;
  /** The merchant that the demo shop sells for, where there is one. */
  readonly demoMerchantId?: number;
  /** Whether test merchants' hooks may reach private addresses. */
  readonly privateHooks: boolean;
};

/** The path below which the service stands. */
export const rootOf = ({ publicUrl }: Pick<ConsoleContext, 'publicUrl'>): string =>
  new URL(publicUrl()).pathname.replace(/\/$/, '');
