import type { User, UserWithPassword } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { useSearchText } from '../../util/params.ts';
import { CreateUser } from './create-user.tsx';
import { PasswordShown } from './password-shown.tsx';
import { projectsInWords } from './rights.ts';

const COLUMNS: readonly Column<User>[] = [
  {
    name: 'User',
    cell: ({ username, blocked }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link to={paths.user({ user: username })} className="font-medium text-accent hover:underline">
          {username}
        </Link>
        <Self username={username} />
        {blocked && <span className="rounded bg-error-soft px-1.5 text-xs text-error">blocked</span>}
      </span>
    ),
  },
  { name: 'Role', cell: ({ role }) => role },
  { name: 'Projects', cell: ({ projects }) => projectsInWords(projects) },
  {
    name: 'Last seen',
    wideOnly: true,
    cell: ({ last_seen_at: at }) => (at === null ? <span className="text-soft">never</span> : <Time at={at} />),
  },
  { name: 'Created', wideOnly: true, cell: ({ created_at }) => <Time at={created_at} /> },
];

function Self({ username }: { username: string }) {
  return useMe().username === username ? <span className="text-xs text-soft">you</span> : null;
}

/** If there are more users than this number, the page shows a search field. */
const MANY = 10;

export function UsersList() {
  const users = useAnswer('listUsers');
  const [find, setFind] = useSearchText('find');
  const [isNew, setNew] = useSearchText('new');
  const [made, setMade] = useState<UserWithPassword | null>(null);
  const wanted = (find ?? '').toLowerCase();
  const rows = users.filter(({ username, role }) => username.includes(wanted) || role === wanted);
  const done = (user: UserWithPassword) => {
    if (user.password === undefined) say(`Created ${user.username}.`);
    else setMade(user);
    setNew(null);
  };
  return (
    <Card>
      {(users.length > MANY || wanted !== '') && (
        <TextField
          className="mb-3 max-w-sm"
          label="Search users"
          type="search"
          value={find ?? ''}
          onChange={(event) => setFind(event.target.value || null)}
        />
      )}
      <Table
        label="Users"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ username }) => username}
        empty={<p className="text-sm text-soft">No matching users.</p>}
      />
      {isNew !== null && made === null && <CreateUser onClose={() => setNew(null)} onMade={done} />}
      {made?.password !== undefined && (
        <PasswordShown username={made.username} password={made.password} onClose={() => setMade(null)} />
      )}
    </Card>
  );
}
