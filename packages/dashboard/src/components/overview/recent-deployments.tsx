import type { Deployment } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { appPath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { Status } from '../../ui/status.tsx';
import { duration, Time } from '../../ui/time.tsx';

const MOST = 6;

export function RecentDeployments({ deployments }: { deployments: readonly Deployment[] }) {
  return (
    <Card title="Recent deployments">
      {deployments.length === 0 && (
        <p className="text-sm text-soft">No deployments yet. Deploy an app to see its deployments here.</p>
      )}
      <ul className="-mx-2 -my-1.5 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
        {deployments.slice(0, MOST).map((deployment) => (
          <li key={deployment.id} className="min-w-0">
            <One deployment={deployment} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function One({ deployment: { id, app, tag, status, trigger, created_at, duration_ms } }: { deployment: Deployment }) {
  const path = appPath(app);
  return (
    <Link
      to={paths.appDeployment({ ...path, deployment: id })}
      className="flex flex-col rounded-md px-2 py-1.5 text-sm hover:bg-sunken"
    >
      <span className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate">
          <span className="font-medium">{path.app}</span>
          <span className="text-soft">
            {' '}
            {path.project}/{path.environment}
          </span>
        </span>
        <Status of={status} kind="deployment" />
      </span>
      <span className="flex items-center justify-between gap-3 text-xs text-soft">
        <span className="min-w-0 truncate">
          <span className="font-mono">{tag}</span> · {trigger.by}
        </span>
        <span className="whitespace-nowrap">
          {duration_ms !== null && `${duration(duration_ms)} · `}
          <Time at={created_at} />
        </span>
      </span>
    </Link>
  );
}
