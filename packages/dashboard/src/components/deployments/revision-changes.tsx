import type { RevisionComparison } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useAppPath } from '../../util/params.ts';
import type { Entry } from '../variables/changes.ts';
import { Value } from '../variables/value.tsx';
import { type ChangeRow, releaseChanges } from './changes.ts';

const COLUMNS: readonly Column<ChangeRow>[] = [
  { name: 'Setting', cell: ({ name }) => <code className="font-mono text-[0.8125rem]">{name}</code> },
  { name: 'Before', cell: ({ name, from }) => <Change name={`${name} (before)`} entry={from} /> },
  { name: 'After', cell: ({ name, to }) => <Change name={`${name} (after)`} entry={to} /> },
];

function Change({ name, entry }: { name: string; entry: Entry | null }) {
  if (entry === null) return <span className="text-soft">not set</span>;
  if (entry.secret || entry.value === null) return <Value name={name} entry={entry} />;
  return <code className="font-mono text-[0.8125rem] break-all">{entry.value}</code>;
}

/** Shows which settings and variables a deployment changed, compared with the previous release. */
export function RevisionChanges({ from, to }: { from: number; to: number }) {
  if (from !== to) return <Changes from={from} to={to} />;
  return (
    <Card title="Settings and variables">
      <p className="text-sm text-soft">Not changed since the previous release, which also used revision {to}.</p>
    </Card>
  );
}

function Changes({ from, to }: { from: number; to: number }) {
  const params = { ...useAppPath(), revision: String(from) };
  const compared = useQuery(query('compareRevisions', { params, query: { to: String(to) } }));
  return (
    <Card
      title="Settings and variables"
      description={`Revision ${to}, compared with revision ${from}. Replicas, limits and labels are not part of a release.`}
    >
      {compared.isLoading && <Spinner label="Comparing" />}
      {compared.error && <Problem error={compared.error} />}
      {compared.data && <Compared comparison={compared.data} />}
    </Card>
  );
}

function Compared({ comparison }: { comparison: RevisionComparison }) {
  return (
    <Table
      label="Changes"
      columns={COLUMNS}
      rows={releaseChanges(comparison)}
      keyOf={({ name }) => name}
      empty={<p className="text-sm text-soft">No differences.</p>}
    />
  );
}
