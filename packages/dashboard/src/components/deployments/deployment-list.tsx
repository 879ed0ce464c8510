import { type Deployment, triggerWords } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { duration, Time } from '../../ui/time.tsx';
import { useAppPath } from '../../util/params.ts';
import { shortDigest } from '../app/short-digest.ts';

const COLUMNS: readonly Column<Deployment>[] = [
  { name: 'Release', cell: (row) => <Release row={row} /> },
  {
    name: 'Status',
    cell: ({ status, created_at }) => (
      <span className="flex flex-col">
        <Status of={status} kind="deployment" />
        <span className="text-xs text-soft md:hidden">
          <Time at={created_at} />
        </span>
      </span>
    ),
  },
  { name: 'Trigger', wideOnly: true, cell: (row) => <span className="text-soft">{triggerWords(row)}</span> },
  {
    name: 'Duration',
    wideOnly: true,
    end: true,
    cell: ({ duration_ms: ms, finished_at: end }) => (
      <span className="text-soft tabular-nums">{ms === null || end === null ? '–' : duration(ms)}</span>
    ),
  },
  {
    name: 'Created',
    wideOnly: true,
    end: true,
    cell: ({ created_at }) => (
      <span className="text-soft">
        <Time at={created_at} />
      </span>
    ),
  },
];

function Release({ row: { id, tag, digest, live } }: { row: Deployment }) {
  const path = useAppPath();
  return (
    <Link to={paths.appDeployment({ ...path, deployment: id })} className="group flex min-w-0 flex-col py-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-mono text-[0.8125rem] font-medium break-all text-accent group-hover:underline">
          {tag}
        </span>
        {live && <span className="rounded bg-good-soft px-1.5 text-xs font-medium text-good">live</span>}
      </span>
      <span className="font-mono text-xs text-soft">
        #{id}
        {digest !== null && ` · ${shortDigest(digest)}`}
      </span>
    </Link>
  );
}

export function DeploymentList({ deployments }: { deployments: readonly Deployment[] }) {
  return <Table label="Deployments" columns={COLUMNS} rows={deployments} keyOf={({ id }) => id} />;
}
