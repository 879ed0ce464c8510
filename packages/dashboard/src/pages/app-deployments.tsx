import { DEPLOYMENT_STATUSES, type Deployment } from '@davit/api';
import { headersOf, query, useAnswer } from '../api.ts';
import { AppFrame, loadApp } from '../components/app/app-frame.tsx';
import { NeverDeployed } from '../components/app/never-deployed.tsx';
import { matches, nextCursor } from '../components/deployments/changes.ts';
import { DeploymentList } from '../components/deployments/deployment-list.tsx';
import type { AppPath } from '../paths.ts';
import type { LoadArgs } from '../routes.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Empty } from '../ui/card.tsx';
import { CompactSelect } from '../ui/compact-select.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { count } from '../util/amounts.ts';
import { useAppPath, useSearchChange, useSearchText } from '../util/params.ts';

const STATUSES = [
  { value: '', label: 'any status' },
  ...DEPLOYMENT_STATUSES.map((status) => ({ value: status, label: status })),
];

function pageOf(cursor: unknown) {
  return cursor === undefined || cursor === null ? {} : { query: { cursor: String(cursor) } };
}

export async function load(args: LoadArgs<AppPath>) {
  const { queries, search } = args;
  const { project, environment, app: name } = args.params;
  const params = { project, environment, app: name };
  const [app] = await Promise.all([
    loadApp(args),
    queries.ensureQueryData(query('listDeployments', { params, ...pageOf(search.cursor) })),
  ]);
  if (app.live_deployment === null && app.source === 'registry') {
    await queries.ensureQueryData(query('getOwnRegistry'));
  }
}

/** Everything that was deployed to an app, newest first. */
export function Page() {
  const params = useAppPath();
  const [cursor] = useSearchText('cursor');
  const app = useAnswer('getApp', { params });
  const deployments = useAnswer('listDeployments', { params, ...pageOf(cursor) });
  const isNone = deployments.length === 0 && cursor === null;
  return <AppFrame>{isNone ? <NeverDeployed app={app} /> : <Listed deployments={deployments} />}</AppFrame>;
}

function Listed({ deployments }: { deployments: Deployment[] }) {
  const [status, setStatus] = useSearchText('status');
  const [text, setText] = useSearchText('q');
  const shown = deployments.filter((one) => matches(one, { status, text }));
  return (
    <Card
      title="Deployments"
      description={shown.length < deployments.length ? `${shown.length} of ${deployments.length} here` : undefined}
      actions={
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          <CompactSelect
            label="Status"
            value={status ?? ''}
            options={STATUSES}
            onChange={(value) => setStatus(value || null)}
          />
          <FilterField label="Filter by tag, digest or account" text={text} onChange={setText} />
        </div>
      }
    >
      {shown.length > 0 && <DeploymentList deployments={shown} />}
      {shown.length === 0 && (
        <Empty title="None of these is shown">
          <p>{count(deployments.length, 'deployment')} of this page match no filter. Older ones may.</p>
        </Empty>
      )}
      <Pages next={nextCursor(headersOf(deployments))} />
    </Card>
  );
}

function Pages({ next }: { next: string | null }) {
  const [cursor] = useSearchText('cursor');
  const change = useSearchChange();
  if (next === null && cursor === null) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-between gap-2">
      <Button
        disabledBecause={cursor === null ? 'These are the newest.' : null}
        onClick={() => change({ cursor: null })}
      >
        Newest
      </Button>
      <Button
        disabledBecause={next === null ? 'There are no older ones.' : null}
        onClick={() => change({ cursor: next })}
      >
        Older
      </Button>
    </nav>
  );
}
