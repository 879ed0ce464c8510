import type { OperationId } from '@davit/api';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useName } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';
import { whyNotStore } from './store-may.ts';

/**
 * Returns the object store that the page shows, with one entry for each action. The entry is the reason why the action
 * is not possible now, or `null` if it is possible.
 */
export function useStoreOfPage() {
  const params = { object_store: useName('object_store') };
  const store = usePresent('getObjectStore', { params });
  const forbidden = { operate: useForbidden('operate'), administer: useForbidden('administer') };
  return { params, store, not: whyNotStore(store, forbidden), ...forbidden };
}

/** API operations whose cached responses are fetched again after the start of a background task for an object store. */
export const STORE_CHANGES = ['getObjectStore', 'listObjectStores', 'getObjectStoreCredentials', 'listTasks'] as const;

type Begins = Extract<OperationId, 'startObjectStore' | 'stopObjectStore'>;

/** Returns functions that start a background task for the object store that the page shows. */
export function useBeginStore(id: Begins, onDone?: () => void) {
  const params = { object_store: useName('object_store') };
  const call = useCall(id, { changes: STORE_CHANGES, ...(onDone && { onDone }) });
  return {
    busy: call.isPending,
    error: call.error,
    /**
     * Sends the request that starts or stops the object store. If the request fails, a toast message shows the error.
     * Use this function for buttons outside a dialog.
     */
    press: () => call.mutate({ params }, { onError: sayProblem }),
    /**
     * Sends the request that starts or stops the object store. If the request fails, `error` is set. Use this function
     * in a dialog that shows `error`.
     */
    send: () => call.mutate({ params }),
  };
}
