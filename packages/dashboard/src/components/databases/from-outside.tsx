import { useCall } from '../../api.ts';
import { Exposure } from '../things/exposure.tsx';
import { useDatabase } from './use-database.ts';

const CHANGES = ['getDatabase', 'listDatabases', 'getDatabaseCredentials', 'listTasks'] as const;

/** Renders the card in which users allow or stop access to a database from the internet. */
export function FromOutside() {
  const { database, params, not } = useDatabase();
  const { name, exposed } = database;
  const open = useCall('exposeDatabase', { changes: CHANGES });
  const close = useCall('unexposeDatabase', { changes: CHANGES });
  return (
    <Exposure
      name={name}
      isOpen={exposed !== null}
      says={
        exposed === null
          ? 'Public access is off. Only apps in the same environment can connect.'
          : `Public access is on. Clients connect to port ${exposed.port} of the server${exposed.tls ? ', with TLS' : ''}.`
      }
      warning="Everyone who can reach the server can try to sign in to the database."
      not={not.expose}
      open={{ ...open, send: (request, onSuccess) => open.mutate({ params, ...request }, { onSuccess }) }}
      close={{ ...close, send: (onSuccess) => close.mutate({ params }, { onSuccess }) }}
    />
  );
}
