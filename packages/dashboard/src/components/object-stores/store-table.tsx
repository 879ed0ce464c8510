import { count, type ObjectStore } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';

const COLUMNS: readonly Column<ObjectStore>[] = [
  {
    name: 'Store',
    cell: ({ name }) => (
      <Link
        to={paths.objectStore({ object_store: name })}
        className="font-medium break-all text-accent underline-offset-2 hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Endpoint',
    wideOnly: true,
    cell: ({ endpoint }) => <span className="font-mono text-xs break-all">{endpoint}</span>,
  },
  {
    name: 'Projects',
    wideOnly: true,
    cell: ({ project, environment }) => [project ?? 'all projects', environment].filter(Boolean).join('/'),
  },
  {
    name: 'Apps',
    wideOnly: true,
    cell: ({ attachments }) => (attachments.length === 0 ? '—' : count(attachments.length, 'app')),
  },
];

export function StoreTable({ stores, empty }: { stores: readonly ObjectStore[]; empty: ReactNode }) {
  return <Table label="Object stores" columns={COLUMNS} rows={stores} keyOf={({ name }) => name} empty={empty} />;
}
