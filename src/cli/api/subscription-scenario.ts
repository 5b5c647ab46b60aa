// Triggers the events of subscriptions: creates a subscription with a payment, then replaces its card or ends it.
import type { Api } from './client.ts';
import { SCENARIOS } from './event-scenarios.ts';
import { runScenario } from './payment-scenario.ts';
import type { ScenarioResult, Step } from './payment-scenario.ts';

// Another brand, so that the change is visible.
const OTHER_CARD = '5413000000000000';

type Begun = { readonly subscriptionId: string; readonly steps: readonly Step[] };

async function begin(api: Api): Promise<Begun> {
  const name = 'subscription.created';
  const { paymentId, steps } = await runScenario(api, SCENARIOS[name], name);
  const answer = await api.send('GET', `/v1/payments/${paymentId}`);
  const subscriptionId = answer.body?.payment?.subscription?.id as string | undefined;
  if (subscriptionId === undefined) throw api.explain(answer);
  return { subscriptionId, steps };
}

export async function replaceCard(api: Api): Promise<ScenarioResult> {
  const { subscriptionId, steps } = await begin(api);
  const asked = { subscription: { subscriptionId } };
  const replaced = await runScenario(api, { card: OTHER_CARD, moves: [], asked }, 'subscription.card.replaced');
  return { ...replaced, steps: [...steps, ...replaced.steps] };
}

export async function endSubscription(api: Api): Promise<Begun> {
  const { subscriptionId, steps } = await begin(api);
  const path = `/v1/subscriptions/${subscriptionId}/terminate`;
  const answer = await api.send('PUT', path);
  if (answer.status !== 204) throw api.explain(answer);
  return { subscriptionId, steps: [...steps, { request: `PUT ${path}`, status: answer.status, what: 'ended' }] };
}
