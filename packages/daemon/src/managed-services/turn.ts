import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';

/**
 * Runs a change of a database or object store after all earlier changes of the same service. The change must read the
 * database row when it starts, because the row may change during the wait. The change must not wait for another change
 * of the same service, because this would cause a deadlock.
 * @throws the abort reason of the signal if the signal aborts before the change starts; also the errors of the change
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
