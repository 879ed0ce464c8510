import type { App, AppReplica } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { Copyable } from '../../ui/copy.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';

const COLUMNS: readonly Column<AppReplica>[] = [
  { name: 'State', cell: ({ state }) => <Status of={state} kind="replica" /> },
  { name: 'Replica', cell: ({ name }) => <Copyable text={name} /> },
  { name: 'Deployment', cell: ({ deployment }) => <DeploymentLink id={deployment} /> },
  { name: 'Address', wideOnly: true, cell: ({ address }) => <Copyable text={address} /> },
  { name: 'Started', wideOnly: true, cell: ({ started_at: at }) => (at ? <Time at={at} /> : '–') },
  {
    name: 'Restarts',
    end: true,
    cell: ({ restarts }) => (
      <span className={`tabular-nums ${restarts > 0 ? 'font-medium text-warning' : ''}`}>{restarts}</span>
    ),
  },
];

export function DeploymentLink({ id }: { id: number }) {
  const path = useAppPath();
  return (
    <Link to={paths.appDeployment({ ...path, deployment: id })} className="text-accent hover:underline">
      #{id}
    </Link>
  );
}

/** Lists the replicas of an app, including replicas that are starting or stopping. */
export function Replicas({ app }: { app: App }) {
  return (
    <Card title="Replicas" description={`${app.scale} desired`}>
      <Table
        label="Replicas"
        columns={COLUMNS}
        rows={app.replicas}
        keyOf={({ name }) => name}
        empty={<p className="text-sm text-soft">No replica is running.</p>}
      />
    </Card>
  );
}
