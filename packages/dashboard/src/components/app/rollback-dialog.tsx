import { type App, can, type Deployment, triggerWords } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { query } from '../../api.ts';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import type { DeploymentRequest } from './plan.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { shortDigest } from './short-digest.ts';

/**
 * With `?rollback=previous` in the URL, the rollback dialog selects the release that was live before the current
 * release.
 */
export const PREVIOUS = 'previous';

/** Renders the dialog that rolls an app back to the image, settings and variables of an earlier deployment. */
export function RollbackDialog({
  app,
  chosen,
  onChoose,
  onClose,
}: {
  app: App;
  /** Id of the deployment to restore, or `previous` for the previously live release. */
  chosen: string;
  onChoose: (chosen: string) => void;
  onClose: () => void;
}) {
  const isPrevious = !/^\d+$/.test(chosen);
  const request: DeploymentRequest = {
    operation: 'rollbackApp',
    body: isPrevious ? {} : { deployment: Number(chosen) },
  };
  return (
    <PlanDialog
      app={app}
      title={`Roll back ${app.name}`}
      description="Restores the exact image, settings and variables of an earlier release. No requests are lost."
      asked={request}
      none="Choose a release first."
      action={isPrevious ? 'Roll back' : `Roll back to #${chosen}`}
      onClose={onClose}
    >
      <Choice app={app} chosen={isPrevious ? PREVIOUS : chosen} onChoose={onChoose} />
    </PlanDialog>
  );
}

function Choice({ app, chosen, onChoose }: { app: App; chosen: string; onChoose: (chosen: string) => void }) {
  const listed = useQuery(query('listDeployments', { params: useAppPath() }));
  if (listed.error) return <Problem error={listed.error} />;
  if (!listed.data) return <Spinner label="Loading the deployments" />;
  const served = listed.data.filter((one) => can.rollBackTo(one) && one.id !== app.live_deployment);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">Release</legend>
      <div className="max-h-72 overflow-y-auto rounded-lg border border-line">
        <One
          value={PREVIOUS}
          chosen={chosen}
          onChoose={onChoose}
          label="Previous release"
          facts="Release that was live before the current release."
        />
        {served.map((one) => (
          <One
            key={one.id}
            value={String(one.id)}
            chosen={chosen}
            onChoose={onChoose}
            label={one.tag}
            facts={<Served deployment={one} />}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Served({ deployment }: { deployment: Deployment }) {
  const { id, digest, finished_at: at, revision, image_missing: missing } = deployment;
  return (
    <>
      #{id}, {at && <Time at={at} />} · {triggerWords(deployment)} · revision {revision}
      {missing && (missing.pulled_again ? ' · image must be pulled again' : ' · image is missing')}
      {digest !== null && (
        <>
          {' '}
          · <code>{shortDigest(digest)}</code>
        </>
      )}
    </>
  );
}

interface OneProps {
  value: string;
  chosen: string;
  onChoose: (chosen: string) => void;
  label: string;
  facts: React.ReactNode;
}

function One({ value, chosen, onChoose, label, facts }: OneProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5 border-b border-line px-3 py-2 text-sm last:border-0 has-checked:bg-accent-soft">
      <input
        type="radio"
        id={id}
        name="deployment"
        value={value}
        checked={value === chosen}
        onChange={() => onChoose(value)}
        aria-describedby={`${id}-facts`}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 flex-1">
        <label
          htmlFor={id}
          className={value === PREVIOUS ? 'font-medium' : 'font-mono text-[0.8125rem] font-medium break-all'}
        >
          {label}
        </label>
        <p id={`${id}-facts`} className="text-xs text-soft">
          {facts}
        </p>
      </div>
    </div>
  );
}
