import type { ManagedServicesDeps } from './deps.ts';
import type { Resident, ResidentRow } from './resident.ts';

/**
 * Runs a change when those before it have ended. The change must read the record itself, since it may have waited, and must
 * not wait for another change of the same managed service.
 * @throws the signal's reason if that aborts before the turn; what the change throws
 */
export function inTurn<T>(
  noun: Resident<ResidentRow, ManagedServicesDeps>['noun'],
  { residentTurns }: Pick<ManagedServicesDeps, 'residentTurns'>,
  id: number,
  signal: AbortSignal,
  change: () => Promise<T>,
): Promise<T> {
  return residentTurns.run(`${noun} ${id}`, change, signal);
}
