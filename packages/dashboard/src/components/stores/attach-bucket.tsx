import { doneOf } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useCall } from '../../api.ts';
import { appPath } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { prefixProblem } from '../databases/attach-draft.ts';
import { useStoreOfPage } from './use-store.ts';

const CHANGES = ['getStore', 'listStores', 'getApp', 'listApps', 'getAppEnv', 'listRevisions'] as const;

/** Gives an app the variables of a bucket. */
export function AttachBucket({ bucket, onClose }: { bucket: string; onClose: () => void }) {
  const { store, params } = useStoreOfPage();
  const { data: all = [] } = useQuery(query('listApps'));
  const apps = all.filter((app) => isFor(store, app));
  const [chosen, setChosen] = useState<string | null>(null);
  const [prefix, setPrefix] = useState('');
  const [deploy, setDeploy] = useState(false);
  const app = apps.find(({ reference }) => reference === chosen) ?? apps[0];
  const attach = useCall('attachBucket', {
    changes: CHANGES,
    onDone: (answer) => {
      doneOf(answer);
      say(deploy ? `${app?.reference} is deployed with it.` : `${app?.reference} gets it with its next deploy.`);
      onClose();
    },
  });
  const wrong = prefixProblem(prefix);
  const isLive = app !== undefined && app.live_deployment !== null;
  const submit = () => {
    if (app === undefined) return;
    const query = deploy && isLive ? { query: { deploy: 'true' as const } } : {};
    attach.mutate({ params: { ...params, bucket, ...appPath(app.reference) }, body: { prefix }, ...query });
  };
  return (
    <FormDialog
      title={`Attach an app to ${bucket}`}
      description={`It gets the bucket’s address and the keys of ${store.name} as variables.`}
      action={deploy && isLive ? 'Attach and deploy it' : 'Attach the app'}
      busy={attach.isPending}
      disabledBecause={app === undefined ? 'There is no app that could have it.' : wrong && 'Mend the prefix first.'}
      error={attach.error}
      fields={['prefix']}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="App"
        options={apps.map(({ reference }) => ({ value: reference, label: reference }))}
        value={app?.reference ?? ''}
        onChange={setChosen}
      />
      <TextField
        label="Prefix"
        note="optional"
        mono
        placeholder="MEDIA_"
        hint={`The first of its variables is ${wrong === null ? prefix : ''}S3_ENDPOINT.`}
        value={prefix}
        onChange={({ target }) => setPrefix(target.value)}
        error={wrong ?? errorFor(attach.error, 'prefix')}
      />
      {isLive && (
        <CheckField
          label="Deploy it now"
          hint="Of the image that is live. Otherwise it has them with its next deploy."
          checked={deploy}
          onChange={({ target }) => setDeploy(target.checked)}
        />
      )}
    </FormDialog>
  );
}

/** One that runs here is for its environment, and one of a project for its apps. */
function isFor(
  store: { project: string | null; environment: string | null },
  app: { project: string; environment: string },
): boolean {
  if (store.project !== null && store.project !== app.project) return false;
  return store.environment === null || store.environment === app.environment;
}
