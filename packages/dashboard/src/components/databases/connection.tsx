import type { DatabaseCredentials } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import type { DatabasePath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Value } from '../variables/value.tsx';
import { useDatabase } from './use-database.ts';

/** Shows the internal address of a database. Shows the database credentials after a click. */
export function Connection() {
  const { database: it, params } = useDatabase();
  const [isShown, setShown] = useState(false);
  const forbidden = useForbidden('secrets');
  const show = (
    <Button disabledBecause={forbidden} onClick={() => setShown(true)}>
      Show credentials
    </Button>
  );
  return (
    <Card title="Connection" description={`Connection data for apps in ${it.environment}.`} actions={!isShown && show}>
      <Facts
        rows={[
          ['Host', <Copyable key="host" text={it.host} />],
          ['Port', <Copyable key="port" text={String(it.port)} />],
          ['User', <Copyable key="user" text={it.username} />],
          ...(it.database === null ? [] : [['Database', <Copyable key="database" text={it.database} />] as const]),
          ['Image', <Copyable key="image" text={it.image} />],
          ...(it.extensions.length === 0 ? [] : [['Extensions', it.extensions.join(', ')] as const]),
        ]}
      />
      {isShown && forbidden === null && <Credentials params={params} />}
    </Card>
  );
}

function Credentials({ params }: { params: DatabasePath }) {
  // The query cache removes the credentials as soon as no component shows the credentials.
  const { data, error } = useQuery({ ...query('getDatabaseCredentials', { params }), gcTime: 0 });
  if (error !== null) return <Problem className="mt-4" error={error} />;
  return data && <Shown of={data} />;
}

/**
 * Link that downloads the CA certificate of the instance. The connection strings of the database contain the file name
 * `name`.
 */
function CaFile({ name }: { name: string }) {
  return (
    <a className="text-accent underline underline-offset-2" href="/api/instance/ca.pem" download={name}>
      Download {name}
    </a>
  );
}

function Shown({ of: { password, url, exposed } }: { of: DatabaseCredentials }) {
  const secret = (name: string, value: string) =>
    [name, <Value key={name} name={name} entry={{ value, secret: true }} />] as const;
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <Facts rows={[secret('Password', password), secret('Connection URL', url)]} />
      {exposed !== null && (
        <>
          <h3 className="text-sm">Public access</h3>
          <Facts
            rows={[
              ['Host', <Copyable key="host" text={`${exposed.host}:${exposed.port}`} />],
              secret('Public connection URL', exposed.url),
              ['CA certificate', <CaFile key="ca" name={exposed.ca_file} />],
            ]}
          />
          <h3 className="text-sm">Connection lines</h3>
          <p className="text-sm text-soft">
            Save the CA certificate as {exposed.ca_file}, and use the line for your client in the folder with this file.
            The line verifies the certificate of the database.
          </p>
          <Facts rows={exposed.clients.map(({ client, line }) => secret(client, line))} />
        </>
      )}
    </div>
  );
}
