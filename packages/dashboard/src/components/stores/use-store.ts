import type { OperationId } from '@davit/api';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useName } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';
import { whyNotStore } from './store-may.ts';

/** The store that the page is of, and what cannot be done with it now. */
export function useStoreOfPage() {
  const params = { store: useName('store') };
  const store = usePresent('getStore', { params });
  const forbidden = { operate: useForbidden('operate'), administer: useForbidden('administer') };
  return { params, store, not: whyNotStore(store, forbidden), ...forbidden };
}

/** Whose answers a task of a store makes untrue. */
export const STORE_CHANGES = ['getStore', 'listStores', 'getStoreCredentials', 'listTasks'] as const;

type Begins = Extract<OperationId, 'startStore' | 'stopStore'>;

/** Begins a task of the store that the page is of: its steps are shown there at once. */
export function useBeginStore(id: Begins, onDone?: () => void) {
  const params = { store: useName('store') };
  const call = useCall(id, { changes: STORE_CHANGES, ...(onDone && { onDone }) });
  return {
    busy: call.isPending,
    error: call.error,
    /** With what went wrong as a toast: of a button that opens nothing. */
    press: () => call.mutate({ params }, { onError: sayProblem }),
    /** With what went wrong as `error`. */
    send: () => call.mutate({ params }),
  };
}
