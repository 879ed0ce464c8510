import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';

/**
 * Runs a change of a database or object store after all earlier changes of the same one. The change must read the row
 * itself, because the row may change during the wait. It must not wait for another change of the same database or
 * object store, because this would be a deadlock.
 * @throws the signal's reason if the signal aborts before the change starts; errors of the change
 */
export function inTurn<T>(
  subject: ManagedService<ManagedServiceRow, ManagedServicesDeps>['subject'],
  { managedServiceTurns }: Pick<ManagedServicesDeps, 'managedServiceTurns'>,
  id: number,
  signal: AbortSignal,
  change: () => Promise<T>,
): Promise<T> {
  return managedServiceTurns.run(`${subject} ${id}`, change, signal);
}
