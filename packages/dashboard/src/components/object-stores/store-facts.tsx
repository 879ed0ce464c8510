import type { ObjectStore } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { Value } from '../variables/value.tsx';
import { DetachBucket } from './bucket-apps.tsx';
import { useStoreOfPage } from './use-store.ts';

/** Shows the address of an object store, its access keys, and the apps that use its buckets. */
export function StoreFacts() {
  const { store } = useStoreOfPage();
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
      <Connection store={store} />
      <Attached store={store} />
    </div>
  );
}

function Connection({ store }: { store: ObjectStore }) {
  const [isShown, setShown] = useState(false);
  const forbidden = useForbidden('secrets');
  const show = (
    <Button disabledBecause={forbidden} onClick={() => setShown(true)}>
      Show keys
    </Button>
  );
  return (
    <Card title="Connection" actions={!isShown && show}>
      <Facts
        rows={[
          ['Endpoint', <Copyable key="endpoint" text={store.endpoint} />],
          [
            'Public endpoint',
            store.public_endpoint === null ? '—' : <Copyable key="public" text={store.public_endpoint} />,
          ],
          ['Region', store.region],
          [
            'Buckets',
            store.bucket ??
              (store.path_style
                ? 'all buckets; the bucket name is in the URL path'
                : 'all buckets; the bucket name is in the host name of the URL'),
          ],
          [
            'Projects',
            store.environment === null ? (store.project ?? 'all projects') : `${store.project}/${store.environment}`,
          ],
          ...(store.image === null ? [] : [['Image', <Copyable key="image" text={store.image} />] as const]),
          ...(store.kind === 'managed'
            ? []
            : [
                [
                  'Last check',
                  store.checked_at === null ? 'never' : <Time key="checked" at={store.checked_at} />,
                ] as const,
              ]),
        ]}
      />
      {isShown && forbidden === null && <Keys name={store.name} />}
    </Card>
  );
}

function Keys({ name }: { name: string }) {
  // The query cache removes the access keys as soon as no component shows the access keys.
  const { data, error } = useQuery({
    ...query('getObjectStoreCredentials', { params: { object_store: name } }),
    gcTime: 0,
  });
  if (error !== null) return <Problem className="mt-4" error={error} />;
  if (data === undefined) return null;
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Facts
        rows={[
          ['Access key', <Copyable key="access" text={data.access_key} />],
          ['Secret key', <Value key="secret" name="Secret key" entry={{ value: data.secret_key, secret: true }} />],
        ]}
      />
    </div>
  );
}

type Attachment = ObjectStore['attachments'][number];

function Attached({ store: { name, attachments } }: { store: ObjectStore }) {
  const forbidden = useForbidden('operate');
  const [detached, setDetached] = useState<Attachment | null>(null);
  return (
    <Card title="Attached apps" description="These apps get the address of a bucket and the keys as variables.">
      {attachments.length === 0 ? (
        <p className="text-sm text-soft">
          No attached apps. To give an app access to a bucket, attach the app to the bucket.
        </p>
      ) : (
        <ul aria-label="Attached apps" className="divide-y divide-line text-sm">
          {attachments.map((one) => (
            <li key={`${one.app} ${one.bucket}`} className="flex flex-wrap justify-between gap-2 py-1.5 first:pt-0">
              <div className="min-w-0 flex-1 basis-56">
                <Link
                  to={paths.app(appPath(one.app))}
                  className="font-medium break-all text-accent underline-offset-2 hover:underline"
                >
                  {one.app}
                </Link>{' '}
                uses {one.bucket}
                <p className="font-mono text-xs break-words text-soft">{one.variables.join(', ')}</p>
              </div>
              <Button kind="quiet" disabledBecause={forbidden} onClick={() => setDetached(one)}>
                Detach…<span className="sr-only"> {one.app}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {detached && <DetachBucket store={name} attachment={detached} onClose={() => setDetached(null)} />}
    </Card>
  );
}
