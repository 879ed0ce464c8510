import { useCall } from '../../api.ts';
import { Exposure } from '../things/exposure.tsx';
import { STORE_CHANGES, useStoreOfPage } from './use-store.ts';

export function StoreFromOutside() {
  const { store, params, not } = useStoreOfPage();
  const { name, exposed } = store;
  const open = useCall('exposeObjectStore', { changes: STORE_CHANGES });
  const close = useCall('unexposeObjectStore', { changes: STORE_CHANGES });
  return (
    <Exposure
      name={name}
      isOpen={exposed !== null}
      says={
        exposed === null
          ? 'Public access is off. Only apps in the same environment can connect. Browsers cannot open presigned URLs.'
          : `Public access is on. Clients connect to port ${exposed.port} of the server, without TLS. Presigned URLs use this port.`
      }
      warning="Everyone who can reach the server can send requests to the store, and only its keys protect the objects. The connection is not encrypted."
      not={not.expose}
      open={{ ...open, send: (request, onSuccess) => open.mutate({ params, ...request }, { onSuccess }) }}
      close={{ ...close, send: (onSuccess) => close.mutate({ params }, { onSuccess }) }}
    />
  );
}
