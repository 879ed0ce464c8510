import type { OperationId } from '@davit/api';
import { type Answer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import type { DatabasePath } from '../../paths.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useDatabasePath } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';
import { whyNotDatabase } from './database-may.ts';

/** The parameters of the operations of the database that the page is of. */
export function useDatabaseParams(): DatabasePath {
  return useDatabasePath();
}

/** The database that the page is of, and what cannot be done with it now. */
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

/** Begins a task of the database that the page is of: its steps are shown there at once. */
export function useBegin(id: Begins, onDone?: (answer: Answer<Begins>) => void) {
  const params = useDatabasePath();
  const call = useCall(id, { changes: CHANGES, ...(onDone && { onDone }) });
  return {
    busy: call.isPending,
    error: call.error,
    /** With what went wrong as a toast: of a button that opens nothing. */
    press: () => call.mutate({ params }, { onError: sayProblem }),
    /** With what went wrong as `error`. */
    send: () => call.mutate({ params }),
  };
}
