import type { OperationId } from '@davit/api';
import { type Answer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import type { DatabasePath } from '../../paths.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useDatabasePath } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';
import { whyNotDatabase } from './database-may.ts';

export function useDatabaseParams(): DatabasePath {
  return useDatabasePath();
}

/**
 * Returns the database that the page shows, with one entry for each action. The entry is the reason why the action is
 * not possible now, or `null` if it is possible.
 */
export function useDatabase() {
  const params = useDatabasePath();
  const database = usePresent('getDatabase', { params });
  const forbidden = { operate: useForbidden('operate'), administer: useForbidden('administer') };
  return { database, params, not: whyNotDatabase(database, forbidden) };
}

type Begins = Extract<
  OperationId,
  | 'startDatabase'
  | 'stopDatabase'
  | 'restartDatabase'
  | 'rotateDatabasePassword'
  | 'backUpDatabase'
  | 'exposeDatabase'
  | 'unexposeDatabase'
>;

const CHANGES = ['getDatabase', 'listDatabases', 'listTasks', 'listDatabaseBackups'] as const;

/** Returns functions that start a background task for the database that the page shows. */
export function useBegin(id: Begins, onDone?: (answer: Answer<Begins>) => void) {
  const params = useDatabasePath();
  const call = useCall(id, { changes: CHANGES, ...(onDone && { onDone }) });
  return {
    busy: call.isPending,
    error: call.error,
    /**
     * Starts the task for the database. An error is shown as a toast message. Use this function for buttons that are
     * not in a dialog.
     */
    press: () => call.mutate({ params }, { onError: sayProblem }),
    /**
     * Sends the API request that starts an action on the database. If the request fails, the field `error` contains the
     * error for the dialog.
     */
    send: () => call.mutate({ params }),
  };
}
