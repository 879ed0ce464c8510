import { doneOf, plannedOf, type RevisionComparison } from '@davit/api';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { api, useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { type AppPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { say } from '../../ui/toast.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { type PlannedChange, useChangePlan } from '../app/change-plan.ts';
import { PlanView } from '../app/plan-view.tsx';
import type { FieldChange } from './form.ts';
import { Changes } from './form-card.tsx';
import { wordsForSetting, wordsForValue } from './setting-words.ts';

/**
 * Renders the dialog that previews and restores a revision of an app's settings. The query parameter `?revision=` opens
 * the dialog.
 */
export function RevisionDialog() {
  const [revision, setRevision] = useSearchText('revision');
  const close = () => setRevision(null);
  return (
    <Dialog
      open={revision !== null}
      onOpenChange={close}
      wide
      title={`Restore revision ${revision ?? ''}?`}
      description="If you restore this revision, the current settings and variables change as listed. Volumes, domains and TCP ports do not change."
    >
      <Suspense fallback={<Spinner label="Comparing" />}>
        {revision !== null && <Restore revision={revision} onClose={close} />}
      </Suspense>
    </Dialog>
  );
}

function Restore({ revision, onClose }: { revision: string; onClose: () => void }) {
  const params = { ...useAppPath(), revision };
  const comparison = useAnswer('compareRevisions', { params, query: { to: 'current' } });
  const forbidden = useForbidden('operate');
  const { live_deployment } = useAnswer('getApp', { params });
  const [deploys, setDeploys] = useState(false);
  const restore = useRestore(onClose);
  const changes = restoring(comparison);
  const run = (deploy: boolean) => {
    setDeploys(deploy);
    restore.mutate({ params, ...(deploy && { query: { deploy: 'true' } }) });
  };
  const nothing =
    changes.length === 0 ? 'This revision does not differ from the current settings and variables.' : null;
  const never = live_deployment === null ? 'This app was never deployed.' : null;
  const isPlanned = (forbidden ?? nothing ?? never) === null && !restore.isPending;
  const plan = useChangePlan(isPlanned ? plannedRestore(params) : null);
  const unplanned = plan.error
    ? 'Cannot load the deployment plan. See the error above.'
    : plan.data
      ? null
      : 'Wait until the deployment plan is loaded.';
  return (
    <>
      {nothing ? <p className="text-sm text-soft">{nothing}</p> : <Changes changes={changes} />}
      {(forbidden ?? nothing ?? never) === null && (
        <div className="mt-4 flex flex-col gap-1.5">
          <h3 className="text-sm">Deployment plan</h3>
          <PlanView plan={plan} none="Davit restores the revision without deploying it." />
        </div>
      )}
      {restore.error && <Problem className="mt-4" error={restore.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          busy={restore.isPending && deploys}
          disabledBecause={restore.isPending ? null : (forbidden ?? nothing ?? never ?? unplanned)}
          onClick={() => run(true)}
        >
          Restore and deploy
        </Button>
        <Button
          kind="primary"
          busy={restore.isPending && !deploys}
          disabledBecause={forbidden ?? nothing}
          onClick={() => run(false)}
        >
          Restore
        </Button>
      </Actions>
    </>
  );
}

function plannedRestore(params: AppPath & { revision: string }): PlannedChange {
  const dry = { dry_run: 'true' } as const;
  return {
    key: ['restoreRevision', params, dry],
    ask: async (signal) => plannedOf(await api.restoreRevision({ params, query: dry, signal })),
  };
}

function useRestore(onClose: () => void) {
  const path = useAppPath();
  const navigate = useNavigate();
  return useCall('restoreRevision', {
    changes: ['getApp', 'getAppEnv', 'listRevisions', 'compareRevisions'],
    onDone: (answer) => {
      const { app, not_restored, deployment } = doneOf(answer);
      const kept = not_restored.map(({ key, source }) => `${key} (${source})`).join(', ');
      const stays =
        kept &&
        ` These variables were not restored, because the project, the environment or an attachment sets them: ${kept}.`;
      say(`Restored. The app now has revision ${app.revision}.${stays}`);
      if (deployment) void navigate({ to: paths.appDeployment({ ...path, deployment: deployment.id }) });
      else onClose();
    },
  });
}

/**
 * Returns the changes that the restore of a revision would make. The API lists the changes since this revision. This
 * function therefore swaps old and new values.
 */
function restoring({ settings, variables }: RevisionComparison): FieldChange[] {
  const hidden = (value: string | null, secret: boolean, there: boolean) =>
    there ? (secret || value === null ? 'a secret value' : value || 'empty') : 'not set';
  return [
    ...settings.map(({ path, from, to }) => ({
      label: wordsForSetting(path),
      from: wordsForValue(to),
      to: wordsForValue(from),
    })),
    ...variables.map(({ key, change, from, to, secret }) => ({
      label: `Variable ${key}`,
      from: hidden(to, secret, change !== 'removed'),
      to: hidden(from, secret, change !== 'added'),
    })),
  ];
}
