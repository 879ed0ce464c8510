import type { Network } from '../../adapters/engine/network.ts';
import { pickAddresses } from '../../app-spec/addresses.ts';
import type { Reader } from '../../db/store.ts';
import { takenAddresses } from '../../db/tables/instance.ts';
import { TaskFailed } from './kind.ts';

/**
 * Returns a free IP address in an environment's network. Save the address in the same transaction, so that no other
 * service gets it.
 * @throws TaskFailed if no address is free
 */
export function freeAddress(
  db: Reader,
  network: Network,
  { environment_id, project, environment }: { environment_id: number; project: string; environment: string },
): string {
  const taken = takenAddresses(db, environment_id);
  const [address] = pickAddresses(network, taken, taken.at(-1) ?? null, 1) ?? [];
  if (address !== undefined) return address;
  const message = `The environment ${project}/${environment} has no free IP address. Remove apps, or reduce a scale.`;
  throw new TaskFailed(message);
}
