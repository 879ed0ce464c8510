/** Dialogs that attach a database or a bucket to an app, or detach a database or a bucket from an app. */
import { type App, doneOf } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { appPath, paths } from '../../paths.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';
import { errorFor } from '../../util/field-error.ts';
import { prefixProblem } from './prefix.ts';

/**
 * API operations to call again after the user has attached a database or an object store to an app, or has detached it.
 * Their responses have changed.
 */
export const OF_THE_APP = ['getApp', 'listApps', 'getAppEnv', 'listRevisions'] as const;

/**
 * Query parameters of a request that attaches or detaches a database or bucket. With `deploy=true`, the server also
 * deploys the app.
 */
type Deploys = { query: { deploy: 'true' } } | Record<never, never>;
const deploying = (deploy: boolean): Deploys => (deploy ? { query: { deploy: 'true' } } : {});

interface Sent {
  onSuccess: (answer: object) => void;
}

interface Call {
  isPending: boolean;
  error: Error | null;
  reset: () => void;
}

/**
 * Returns the function that runs after a successful attach or detach request. If a deployment was started, the function
 * opens the page of the deployment. Otherwise, it shows a message.
 */
function useAfter(said: string, onClose: () => void): Sent {
  const navigate = useNavigate();
  return {
    onSuccess: (answer) => {
      const done = doneOf(answer) as { tag?: string; id?: number; app?: string };
      onClose();
      if (done.tag === undefined || done.id === undefined || !done.app) return say(said);
      void navigate({ to: paths.appDeployment({ ...appPath(done.app), deployment: done.id }) });
    },
  };
}

export function AttachDialog({
  to,
  description,
  candidates,
  placeholder,
  firstVariable,
  call,
  send,
  onClose,
}: {
  /**
   * Name of the bucket or database that the user attaches to the app. For a database, this is the full name, such as
   * `shop/production/main`.
   */
  to: string;
  description: string;
  candidates: readonly App[];
  placeholder: string;
  /**
   * Returns an example of an environment variable that the app will get. For example, if the user enters the prefix
   * `CACHE_`, the example is `CACHE_S3_ENDPOINT`.
   */
  firstVariable: (prefix: string) => string;
  call: Call;
  send: (app: App, asked: { body: { prefix: string } } & Deploys, sent: Sent) => void;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [prefix, setPrefix] = useState('');
  const [deploy, setDeploy] = useState(false);
  const app = candidates.find(({ reference }) => reference === chosen) ?? candidates[0];
  const after = useAfter(
    `Attached ${app?.reference}. The change takes effect with the next deployment of the app.`,
    onClose,
  );
  const wrong = prefixProblem(prefix);
  const isLive = app !== undefined && app.live_deployment !== null;
  return (
    <FormDialog
      title={`Attach an app to ${to}`}
      description={description}
      action={deploy && isLive ? 'Attach and deploy app' : 'Attach app'}
      busy={call.isPending}
      disabledBecause={
        app === undefined ? 'The environment has no app that you can attach.' : wrong && 'Correct the prefix first.'
      }
      error={call.error}
      onEdit={call.reset}
      fields={['prefix']}
      onSubmit={() => app && send(app, { body: { prefix }, ...deploying(deploy && isLive) }, after)}
      onClose={onClose}
    >
      <SelectField
        label="App"
        options={candidates.map(({ reference }) => ({ value: reference, label: reference }))}
        value={app?.reference ?? ''}
        onChange={setChosen}
      />
      <TextField
        label="Prefix"
        note="optional"
        mono
        autoCapitalize="characters"
        placeholder={placeholder}
        hint={`Prefix of the variable names. Example: ${firstVariable(wrong === null ? prefix : '')}.`}
        value={prefix}
        onChange={({ target }) => setPrefix(target.value)}
        error={wrong ?? errorFor(call.error, 'prefix')}
      />
      {isLive ? (
        <CheckField
          label="Deploy app now"
          hint="Deploys the live image with the new variables. If this option is off, the app gets the variables with its next deployment."
          checked={deploy}
          onChange={({ target }) => setDeploy(target.checked)}
        />
      ) : (
        <p className="text-sm text-soft">
          The app was never deployed. It gets the variables with its first deployment.
        </p>
      )}
    </FormDialog>
  );
}

export function DetachDialog({
  app,
  of,
  stays,
  call,
  send,
  onClose,
}: {
  app: string;
  /**
   * Name of the bucket or database that the user detaches from the app. For a database, this is the full name, such as
   * `shop/production/main`.
   */
  of: string;
  /** Sentence that says which data remains after the database or bucket is detached from the app. */
  stays: string;
  call: Call;
  send: (asked: Deploys, sent: Sent) => void;
  onClose: () => void;
}) {
  const [deploy, setDeploy] = useState(false);
  const after = useAfter(`Detached ${app}. The change takes effect with the next deployment of the app.`, onClose);
  return (
    <FormDialog
      title={`Detach ${app}?`}
      description={`The app loses the variables of ${of}. ${stays}`}
      action={deploy ? 'Detach and deploy app' : 'Detach app'}
      kind="danger"
      busy={call.isPending}
      error={call.error}
      onEdit={call.reset}
      onSubmit={() => send(deploying(deploy), after)}
      onClose={onClose}
    >
      <CheckField
        label="Deploy app now"
        hint={`If you do not deploy now, running replicas keep the variables of ${of} until the next deployment.`}
        checked={deploy}
        onChange={({ target }) => setDeploy(target.checked)}
      />
    </FormDialog>
  );
}
