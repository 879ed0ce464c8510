import type { Connection } from '@davit/api';
import type { ReactNode } from 'react';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { projectsInWords } from './rights.ts';

const COLUMNS: readonly Column<Connection>[] = [
  {
    name: 'Client',
    cell: ({ client_name: name, client_id: id }) => (
      <>
        {name}
        <span className="block text-xs break-all text-soft">{new URL(id).host}</span>
      </>
    ),
  },
  { name: 'Access', cell: ({ role, projects }) => `${role} in ${projectsInWords(projects)}` },
  { name: 'Connected', wideOnly: true, cell: ({ created_at: at }) => <Time at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />) },
];

/**
 * Renders a table of connected clients, which may access the instance on behalf of a user.
 * @param actions renders the buttons at the end of a row
 */
export function ConnectionsTable({
  label,
  rows,
  actions,
  empty,
}: {
  label: string;
  rows: readonly Connection[];
  actions: (connection: Connection) => ReactNode;
  empty: ReactNode;
}) {
  const columns = [...COLUMNS, { name: 'End', hideName: true, end: true, cell: actions }];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} empty={empty} />;
}
