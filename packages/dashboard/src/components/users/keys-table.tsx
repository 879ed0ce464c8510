import type { ApiKey } from '@davit/api';
import type { ReactNode } from 'react';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { projectsInWords } from './rights.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    name: 'Name',
    cell: ({ name, id, role, expires_at }) => (
      <div className="min-w-0">
        <span className="font-medium break-words">{name}</span>{' '}
        <span className="text-xs whitespace-nowrap text-soft">key {id}</span>
        <p className="text-xs text-soft md:hidden">
          {role}, expires <Expiry at={expires_at} />
        </p>
      </div>
    ),
  },
  { name: 'Role', wideOnly: true, cell: ({ role }) => role },
  { name: 'Projects', wideOnly: true, cell: ({ projects }) => projectsInWords(projects) },
  { name: 'Expires', wideOnly: true, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
  {
    name: 'Last used',
    wideOnly: true,
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span className="text-soft">never</span> : <Time at={last_used_at} />,
  },
  { name: 'Created', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Expiry({ at }: { at: string | null }) {
  if (at === null) return <span className="text-soft">never</span>;
  if (Date.parse(at) > Date.now()) return <Time at={at} />;
  return (
    <span className="text-error">
      expired <Time at={at} />
    </span>
  );
}

/**
 * Renders a table of API keys without their secrets.
 * @param actions renders the buttons at the end of a row
 */
export function KeysTable({
  label,
  rows,
  actions,
  empty,
}: {
  label: string;
  rows: readonly ApiKey[];
  actions: (key: ApiKey) => ReactNode;
  empty: ReactNode;
}) {
  const columns = [...COLUMNS, { name: 'Actions', hideName: true, end: true, cell: actions }];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} empty={empty} />;
}
