import { PullRefused } from '../errors.ts';
import type { RegistryAuth } from '../image.ts';
import type { SimulatedEngineState } from './state.ts';

/**
 * Checks the credentials for a simulated registry. The password `wrong` is always rejected. A locked registry accepts
 * only its own credentials.
 * @throws PullRefused
 */
export function checkRegistry(state: SimulatedEngineState, host: string, auth: RegistryAuth): void {
  const doing = `connect to the registry ${host}`;
  if (auth.password === 'wrong') throw new PullRefused('registry_unauthorized', `${doing}: unauthorized`);
  demandEntry(state, host, auth, doing);
}

/** @throws PullRefused if the registry is locked and the credentials are wrong or missing */
export function demandEntryFor(
  state: SimulatedEngineState,
  reference: string,
  auth: RegistryAuth | null,
  doing: string,
): void {
  demandEntry(state, reference.slice(0, Math.max(0, reference.indexOf('/'))), auth, doing);
}

function demandEntry({ locked }: SimulatedEngineState, host: string, auth: RegistryAuth | null, doing: string): void {
  const right = locked.get(host);
  if (right === undefined) return;
  if (right.username === auth?.username && right.password === auth.password) return;
  throw new PullRefused('registry_unauthorized', `${doing}: unauthorized: authentication required`);
}
