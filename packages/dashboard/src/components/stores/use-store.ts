import { canStore } from '@davit/api';
import { useForbidden } from '../../layout/me.ts';
import { useName } from '../../util/params.ts';
import { usePresent } from '../app/use-present.ts';

/** The store that the page is of, and why it cannot be used now. */
export function useStoreOfPage() {
  const params = { store: useName('store') };
  const store = usePresent('getStore', { params });
  const notUsed = canStore.use(store.status) ? null : `${store.name} is ${store.status}.`;
  const operate = useForbidden('operate');
  const administer = useForbidden('administer');
  return { params, store, notUsed, operate, administer };
}
