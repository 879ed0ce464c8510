import type { OperationId } from '@davit/api';
import { useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { sayProblem } from '../../ui/toast.tsx';
import { useName } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';
import { whyNotStore } from './store-may.ts';

/** Returns the store of the page, and why each action on it is not possible now. */
export function useStoreOfPage() {
  const params = { object_store: useName('object_store') };
  const store = usePresent('getObjectStore', { params });
  const forbidden = { operate: useForbidden('operate'), administer: useForbidden('administer') };
  return { params, store, not: whyNotStore(store, forbidden), ...forbidden };
}

/** Operations whose answers are stale after a task of a store. */
export const STORE_CHANGES = ['getObjectStore', 'listObjectStores', 'getObjectStoreCredentials', 'listTasks'] as const;

type Begins = Extract<OperationId, 'startObjectStore' | 'stopObjectStore'>;

/** Starts a task of the store of the page, which shows the steps at once. */
export function useBeginStore(id: Begins, onDone?: () => void) {
  const params = { object_store: useName('object_store') };
  const call = useCall(id, { changes: STORE_CHANGES, ...(onDone && { onDone }) });
  return {
    busy: call.isPending,
    error: call.error,
    /** Starts the task and shows errors as a toast, for buttons that open no dialog. */
    press: () => call.mutate({ params }, { onError: sayProblem }),
    /** Starts the task and provides errors as `error`. */
    send: () => call.mutate({ params }),
  };
}
