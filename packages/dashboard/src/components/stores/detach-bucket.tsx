import { doneOf, type ObjectStore } from '@davit/api';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { appPath } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';

const CHANGES = ['getStore', 'listStores', 'getApp', 'listApps', 'getAppEnv', 'listRevisions'] as const;

/** Takes the variables of a bucket away from an app. */
export function DetachBucket({
  store,
  attachment: { app, bucket },
  onClose,
}: {
  store: string;
  attachment: ObjectStore['attachments'][number];
  onClose: () => void;
}) {
  const [deploy, setDeploy] = useState(false);
  const detach = useCall('detachBucket', {
    changes: CHANGES,
    onDone: (answer) => {
      doneOf(answer);
      say(deploy ? `${app} is deployed without it.` : `${app} is without it from its next deploy on.`);
      onClose();
    },
  });
  const query = deploy ? { query: { deploy: 'true' as const } } : {};
  return (
    <FormDialog
      title={`Detach ${app}?`}
      description={`It loses the variables of ${bucket}. The bucket and what is in it stay.`}
      action={deploy ? 'Detach and deploy it' : 'Detach the app'}
      kind="danger"
      busy={detach.isPending}
      error={detach.error}
      onSubmit={() => detach.mutate({ params: { store, bucket, ...appPath(app) }, ...query })}
      onClose={onClose}
    >
      <CheckField
        label="Deploy it now"
        hint="What runs keeps them until it is deployed."
        checked={deploy}
        onChange={({ target }) => setDeploy(target.checked)}
      />
    </FormDialog>
  );
}
