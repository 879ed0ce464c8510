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

/** Renders the changes that restoring a revision would cause. `?revision=` with a number opens the dialog. */
export function RevisionDialog() {
  const [revision, setRevision] = useSearchText('revision');
  const close = () => setRevision(null);
  return (
    <Dialog
      open={revision !== null}
      onOpenChange={close}
      wide
      title={`Bring back revision ${revision ?? ''}?`}
      description="This is what would be different from what the app has now. Volumes, domains and TCP ports are no part of a revision and stay."
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
  const nothing = changes.length === 0 ? 'Nothing would be different.' : null;
  const never = live_deployment === null ? 'Nothing of this app was deployed yet.' : null;
  const isPlanned = (forbidden ?? nothing ?? never) === null && !restore.isPending;
  const plan = useChangePlan(isPlanned ? plannedRestore(params) : null);
  const unplanned = plan.error ? 'See why above.' : plan.data ? null : 'The plan comes first.';
  return (
    <>
      {nothing ? <p className="text-sm text-soft">{nothing}</p> : <Changes changes={changes} />}
      {(forbidden ?? nothing ?? never) === null && (
        <div className="mt-4 flex flex-col gap-1.5">
          <h3 className="text-sm">If it is deployed at once</h3>
          <PlanView plan={plan} none="It is brought back." />
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
          Bring back and deploy
        </Button>
        <Button
          kind="primary"
          busy={restore.isPending && !deploys}
          disabledBecause={forbidden ?? nothing}
          onClick={() => run(false)}
        >
          Bring back
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
      const stays = kept && ` These stay, as wider levels set them: ${kept}.`;
      say(`The app has revision ${app.revision} now.${stays}`);
      if (deployment) void navigate({ to: paths.appDeployment({ ...path, deployment: deployment.id }) });
      else onClose();
    },
  });
}

/** Reverses a comparison, so that it leads from the present settings to the restored ones. */
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
