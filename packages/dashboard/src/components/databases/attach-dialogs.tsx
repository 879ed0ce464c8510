import { type App, type DatabaseAttachment, doneOf } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { firstVariable, prefixProblem } from './attach-draft.ts';
import { useDatabase } from './use-database.ts';

const CHANGES = ['getDatabase', 'listDatabases', 'getApp', 'listApps', 'getAppEnv', 'listRevisions'] as const;

/** What is said after it, or the deployment that it began. */
function useAfter(app: string, said: string, onClose: () => void) {
  const navigate = useNavigate();
  return (answer: object) => {
    const done = doneOf(answer) as { tag?: string; id?: number };
    onClose();
    if (done.tag === undefined || done.id === undefined) return say(said);
    void navigate({ to: paths.appDeployment({ ...appPath(app), deployment: done.id }) });
  };
}

export function AttachDialog({ candidates, onClose }: { candidates: readonly App[]; onClose: () => void }) {
  const { database, params } = useDatabase();
  const [reference, setReference] = useState(candidates[0]?.reference ?? '');
  const [prefix, setPrefix] = useState('');
  const [deploy, setDeploy] = useState(false);
  const after = useAfter(reference, `${reference} gets it with its next deploy.`, onClose);
  const attach = useCall('attachDatabase', { changes: CHANGES, onDone: after });
  const app = candidates.find((one) => one.reference === reference);
  const wrong = prefixProblem(prefix);
  const submit = () => {
    const query = deploy && isLive(app) ? { query: { deploy: 'true' as const } } : {};
    attach.mutate({ params: { ...params, app: app?.name ?? '' }, body: { prefix }, ...query });
  };
  return (
    <FormDialog
      title={`Attach an app to ${database.name}`}
      description="It gets variables that say where the database is and what it takes to get in. Its own of the same name stand over them."
      action={deploy && isLive(app) ? 'Attach and deploy it' : 'Attach the app'}
      busy={attach.isPending}
      disabledBecause={wrong === null ? null : 'Mend the prefix first.'}
      error={attach.error}
      fields={['prefix']}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="App"
        options={candidates.map((one) => ({ value: one.reference, label: one.name }))}
        value={reference}
        onChange={setReference}
      />
      <TextField
        label="Prefix"
        note="optional"
        mono
        autoCapitalize="characters"
        placeholder="CACHE_"
        hint={`The first of its variables is ${firstVariable(database.engine, wrong === null ? prefix : '')}.`}
        value={prefix}
        onChange={({ target }) => setPrefix(target.value)}
        error={wrong ?? errorFor(attach.error, 'prefix')}
      />
      <DeployNow app={app} checked={deploy} onChange={setDeploy} />
    </FormDialog>
  );
}

function isLive(app: App | undefined): boolean {
  return app !== undefined && app.live_deployment !== null;
}

function DeployNow({
  app,
  checked,
  onChange,
}: {
  app: App | undefined;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  if (!isLive(app)) return <p className="text-sm text-soft">Nothing of it runs yet: its first deploy gets them.</p>;
  return (
    <CheckField
      label="Deploy it now"
      hint="Of the image that is live. Otherwise it has them with its next deploy."
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

export function DetachDialog({ attachment, onClose }: { attachment: DatabaseAttachment; onClose: () => void }) {
  const { database, params } = useDatabase();
  const [deploy, setDeploy] = useState(false);
  const after = useAfter(attachment.app, `${attachment.app} is without it from its next deploy on.`, onClose);
  const detach = useCall('detachDatabase', { changes: CHANGES, onDone: after });
  const submit = () =>
    detach.mutate({
      params: { ...params, app: appPath(attachment.app).app },
      ...(deploy && { query: { deploy: 'true' as const } }),
    });
  return (
    <FormDialog
      title={`Detach ${attachment.app}?`}
      description={`It loses the variables of ${database.name}. The database and what is in it stay.`}
      action={deploy ? 'Detach and deploy it' : 'Detach the app'}
      kind="danger"
      busy={detach.isPending}
      error={detach.error}
      onSubmit={submit}
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
