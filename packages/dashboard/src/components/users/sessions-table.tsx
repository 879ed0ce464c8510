import type { UserSession } from '@davit/api';
import type { ReactNode } from 'react';
import { Copyable } from '../../ui/copy.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';

const COLUMNS: readonly Column<UserSession>[] = [
  {
    name: 'Browser',
    cell: ({ user_agent, current, address }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2" title={user_agent ?? undefined}>
          {browserName(user_agent)}
          {current && <span className="rounded bg-good-soft px-1.5 text-xs text-good">this session</span>}
        </span>
        <span className="text-xs break-all text-soft md:hidden">from {address ?? 'an unknown address'}</span>
      </>
    ),
  },
  {
    name: 'IP address',
    wideOnly: true,
    cell: ({ address }) =>
      address === null ? <span className="text-soft">unknown</span> : <Copyable text={address} />,
  },
  { name: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { name: 'Signed in', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Expires', wideOnly: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
];

/**
 * Renders a table of a user's sessions.
 * @param actions renders the buttons at the end of a row
 */
export function SessionsTable({
  label,
  rows,
  actions,
  empty,
}: {
  label: string;
  rows: readonly UserSession[];
  actions: (session: UserSession) => ReactNode;
  empty: ReactNode;
}) {
  const columns = [...COLUMNS, { name: 'Actions', hideName: true, end: true, cell: actions }];
  return <Table label={label} columns={columns} rows={rows} keyOf={({ id }) => id} empty={empty} />;
}
