import { type Deployment, helpPath } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { query, useAnswer } from '../api.ts';
import { AppFrame } from '../components/app/app-frame.tsx';
import { loadApp } from '../components/app/load-app.ts';
import { usePresent } from '../components/app/use-present.ts';
import { servedBefore } from '../components/deployments/changes.ts';
import { DeploymentActions } from '../components/deployments/deployment-actions.tsx';
import { DeploymentFacts } from '../components/deployments/deployment-facts.tsx';
import { DeploymentOutput } from '../components/deployments/deployment-output.tsx';
import { DeploymentTimeline } from '../components/deployments/deployment-timeline.tsx';
import { RevisionChanges } from '../components/deployments/revision-changes.tsx';
import type { LoadArgs } from '../load-args.ts';
import { type AppPath, paths } from '../paths.ts';
import { Problem } from '../ui/problem.tsx';
import { Status } from '../ui/status.tsx';
import { useAppPath, useName } from '../util/params.ts';

export async function load(args: LoadArgs<AppPath & { deployment: string }>) {
  const { queries } = args;
  const { project, environment, app, deployment } = args.params;
  const params = { project, environment, app };
  await Promise.all([
    loadApp(args),
    queries.ensureQueryData(query('getDeployment', { params: { ...params, deployment } })),
    queries.ensureQueryData(query('listDeployments', { params })),
  ]);
}

export function Page() {
  const params = useAppPath();
  const app = useAnswer('getApp', { params });
  const deployment = usePresent('getDeployment', { params: { ...params, deployment: useName('deployment') } });
  const before = servedBefore(deployment.id, useAnswer('listDeployments', { params }));
  return (
    <AppFrame>
      <Heading deployment={deployment} />
      {deployment.error !== null && (
        <Problem error={new Error(deployment.error)} help={helpPath(deployment.error_code)}>
          {deployment.status === 'failed' && (
            <Link to={paths.appLogs(params)} className="underline">
              View logs
            </Link>
          )}
        </Problem>
      )}
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <DeploymentTimeline key={deployment.id} deployment={deployment} app={app} />
          <DeploymentOutput deployment={deployment} />
          {before !== null && <RevisionChanges from={before.revision} to={deployment.revision} />}
        </div>
        <DeploymentFacts deployment={deployment} />
      </div>
    </AppFrame>
  );
}

function Heading({ deployment }: { deployment: Deployment }) {
  const { id, tag, live, status } = deployment;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={paths.appDeployments(useAppPath())}
          aria-label="All deployments"
          className="-ml-1 grid size-7 place-items-center rounded text-soft hover:bg-sunken hover:text-text"
        >
          <ArrowLeft className="size-4" aria-hidden />
        </Link>
        <h2 className="text-lg">
          Deployment #{id} of <span className="font-mono text-base break-all">{tag}</span>
        </h2>
        <Status of={status} kind="deployment" />
        {live && <span className="rounded bg-good-soft px-1.5 text-xs font-medium text-good">live</span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DeploymentActions deployment={deployment} />
      </div>
    </div>
  );
}
