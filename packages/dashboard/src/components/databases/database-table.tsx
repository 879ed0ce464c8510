import { count, type Database } from '@davit/api';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { databasePath, paths } from '../../paths.ts';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ENGINE_NAMES } from './database-draft.ts';

const FACTS: readonly Column<Database>[] = [
  { name: 'Engine', cell: ({ engine, version }) => `${ENGINE_NAMES[engine]} ${version}` },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Apps',
    wideOnly: true,
    cell: ({ used_by }) => (used_by.length === 0 ? '—' : count(used_by.length, 'app')),
  },
  {
    name: 'Public access',
    wideOnly: true,
    cell: ({ exposed }) => (exposed === null ? '—' : `port ${exposed.port}`),
  },
];

const ANYWHERE: readonly Column<Database>[] = [
  { name: 'Database', cell: (database) => <Name database={database} said={database.reference} /> },
  ...FACTS,
];
const HERE: readonly Column<Database>[] = [
  { name: 'Database', cell: (database) => <Name database={database} said={database.name} /> },
  ...FACTS,
];

function Name({ database: { reference }, said }: { database: Database; said: string }) {
  return (
    <Link
      to={paths.database(databasePath(reference))}
      className="inline-block min-w-26 font-medium wrap-anywhere text-accent underline-offset-2 hover:underline"
    >
      {said}
    </Link>
  );
}

/**
 * Renders a table of databases.
 * @param isHere whether all databases belong to the environment that the page shows
 */
export function DatabaseTable({
  databases,
  isHere = false,
  empty,
}: {
  databases: readonly Database[];
  isHere?: boolean;
  empty: ReactNode;
}) {
  const columns = isHere ? HERE : ANYWHERE;
  return (
    <Table label="Databases" columns={columns} rows={databases} keyOf={({ reference }) => reference} empty={empty} />
  );
}
