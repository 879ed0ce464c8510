import { useCall } from '../../api.ts';
import { Exposure } from '../things/exposure.tsx';
import { useDatabase } from './use-database.ts';

const CHANGES = ['getDatabase', 'listDatabases', 'getDatabaseCredentials', 'listTasks'] as const;

/** Exposes the database to the internet, or ends the exposure. */
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
          ? 'Only apps of its environment reach it.'
          : `Port ${exposed.port} of the machine leads to it${exposed.tls ? ', with TLS by the database itself' : ''}.`
      }
      warning="Whoever reaches the machine can try to log in."
      not={not.expose}
      open={{ ...open, send: (asked, onSuccess) => open.mutate({ params, ...asked }, { onSuccess }) }}
      close={{ ...close, send: (onSuccess) => close.mutate({ params }, { onSuccess }) }}
    />
  );
}
