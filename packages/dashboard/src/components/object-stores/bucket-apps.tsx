import type { App, ObjectStore } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query, useCall } from '../../api.ts';
import { appPath } from '../../paths.ts';
import { AttachDialog, DetachDialog, OF_THE_APP } from '../things/attach-dialogs.tsx';
import { useStoreOfPage } from './use-store.ts';

const CHANGES = ['getObjectStore', 'listObjectStores', ...OF_THE_APP] as const;

export function AttachBucket({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const { store, params } = useStoreOfPage();
  const { data: apps = [] } = useQuery(query('listApps'));
  const attach = useCall('attachBucket', { changes: CHANGES });
  return (
    <AttachDialog
      to={bucket}
      description={`The app gets the address of the bucket and the keys of ${store.name} as variables.`}
      candidates={apps.filter((app) => isFor(store, app))}
      placeholder="MEDIA_"
      firstVariable={(prefix) => `${prefix}S3_ENDPOINT`}
      call={attach}
      send={({ reference }, request, sent) =>
        attach.mutate({ params: { ...params, bucket, ...appPath(reference) }, ...request }, sent)
      }
      onClose={onClose}
    />
  );
}

/**
 * Returns whether an app may use an object store. A managed object store is for the apps of its environment. A linked
 * object store is for one project or for all projects.
 */
function isFor({ project, environment }: Pick<ObjectStore, 'project' | 'environment'>, app: App): boolean {
  if (project !== null && project !== app.project) return false;
  return environment === null || environment === app.environment;
}

export function DetachBucket({
  store,
  attachment: { app, bucket },
  onClose,
}: {
  store: string;
  attachment: ObjectStore['attachments'][number];
  onClose: () => void;
}) {
  const detach = useCall('detachBucket', { changes: CHANGES });
  return (
    <DetachDialog
      app={app}
      of={bucket}
      stays="The bucket and its objects are kept."
      call={detach}
      send={(request, sent) =>
        detach.mutate({ params: { object_store: store, bucket, ...appPath(app) }, ...request }, sent)
      }
      onClose={onClose}
    />
  );
}
