import { useCall } from '../../api.ts';
import { Exposure } from '../things/exposure.tsx';
import { STORE_CHANGES, useStoreOfPage } from './use-store.ts';

/** Exposes a managed object store to the internet, or ends the exposure. */
export function StoreFromOutside() {
  const { store, params, not } = useStoreOfPage();
  const { name, exposed } = store;
  const open = useCall('exposeStore', { changes: STORE_CHANGES });
  const close = useCall('unexposeStore', { changes: STORE_CHANGES });
  return (
    <Exposure
      name={name}
      isOpen={exposed !== null}
      says={
        exposed === null
          ? 'Only apps of its environment reach it: no browser can follow an address that is made for one object.'
          : `Port ${exposed.port} of the machine leads to it, without TLS; addresses of objects lead there.`
      }
      warning="Whoever reaches the machine can ask it, with the keys alone between them and what it has; what is sent can be read on the way."
      not={not.expose}
      open={{ ...open, send: (asked, onSuccess) => open.mutate({ params, ...asked }, { onSuccess }) }}
      close={{ ...close, send: (onSuccess) => close.mutate({ params }, { onSuccess }) }}
    />
  );
}
