// Records in the merchant's audit that a key was refused, or that it read the audit.
import type { Store } from '../store/store.ts';
import { actorOf, merchantOf } from '../server/asker.ts';
import { networkOf } from '../server/network.ts';
import type { KeyAccess } from '../server/scopes.ts';

export const noteKeyAccess =
  ({ refusals }: Pick<Store, 'refusals'>): KeyAccess =>
  (request, action, scope) => {
    const { id } = merchantOf(request);
    const { url = '' } = request.routeOptions;
    refusals.note({
      actor: actorOf(request),
      merchantIds: [id],
      address: request.ip,
      network: networkOf(request.ip),
      isProved: true,
      action,
      subject: action === 'audit.export' ? String(id) : `${request.method} ${url}`,
      after: action === 'audit.export' ? {} : { scopes: [scope], reason: 'scope' },
    });
  };
