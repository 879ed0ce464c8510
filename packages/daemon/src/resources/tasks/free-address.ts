import type { Network } from '../../adapters/engine/network.ts';
import { pickAddresses } from '../../app-spec/addresses.ts';
import type { Reader } from '../../db/store.ts';
import { takenAddresses } from '../../db/tables/instance.ts';
import { TaskFailed } from './kind.ts';

/**
 * An address on an environment's network for what is neither an app nor a release: put it on record in the same
 * transaction, so that nobody else gets it.
 * @throws TaskFailed when all are taken
 */
export function freeAddress(
  db: Reader,
  network: Network,
  { environment_id, project, environment }: { environment_id: number; project: string; environment: string },
): string {
  const taken = takenAddresses(db, environment_id);
  const [address] = pickAddresses(network, taken, taken.at(-1) ?? null, 1) ?? [];
  if (address !== undefined) return address;
  const message = `The environment ${project}/${environment} has no free address left: remove apps or lower a scale.`;
  throw new TaskFailed(message);
}
