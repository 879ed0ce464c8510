import { Link } from '@tanstack/react-router';
import { query, useAnswer } from '../api.ts';
import { mayAdminister } from '../components/admin/may.ts';
import { NotForYou } from '../components/admin/not-for-you.tsx';
import { AccessCard } from '../components/users/access-card.tsx';
import { RightsCard } from '../components/users/rights-card.tsx';
import { UserConnections } from '../components/users/user-connections.tsx';
import { UserKeys } from '../components/users/user-keys.tsx';
import { UserSessions } from '../components/users/user-sessions.tsx';
import { useForbidden, useMe } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { paths } from '../paths.ts';
import { Time } from '../ui/time.tsx';
import { useName } from '../util/params.ts';

export async function load({ queries, params: { user } }: LoadArgs<{ user: string }>) {
  if (!(await mayAdminister(queries))) return;
  await Promise.all([
    queries.ensureQueryData(query('getUser', { params: { user } })),
    queries.ensureQueryData(query('listUsers')),
    queries.ensureQueryData(query('listProjects')),
    queries.ensureQueryData(query('listUserKeys', { params: { user } })),
    queries.ensureQueryData(query('listUserSessions', { params: { user } })),
    queries.ensureQueryData(query('listUserConnections', { params: { user } })),
  ]);
}

export function Page() {
  const forbidden = useForbidden('administer');
  const username = useName('user');
  if (forbidden === null) return <User key={username} username={username} />;
  return (
    <Frame title={username}>
      <NotForYou what="users" reason={forbidden} />
    </Frame>
  );
}

function User({ username }: { username: string }) {
  const user = useAnswer('getUser', { params: { user: username } });
  const isMe = useMe().username === username;
  return (
    <Frame
      title={username}
      lead={
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
          <span>{user.role}</span>
          {isMe && <span>· you</span>}
          {user.blocked && <span className="rounded bg-error-soft px-1.5 text-xs text-error">blocked</span>}
          <span>
            · created <Time at={user.created_at} />
          </span>
          <span>· last seen {user.last_seen_at === null ? 'never' : <Time at={user.last_seen_at} />}</span>
        </span>
      }
      actions={
        <Link
          to={paths.audit()}
          search={{ user: username } as never}
          className="text-sm text-accent underline-offset-2 hover:underline"
        >
          Show activity
        </Link>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <RightsCard user={user} />
        <AccessCard user={user} />
      </div>
      <UserKeys user={username} />
      <UserSessions user={username} />
      <UserConnections user={username} />
    </Frame>
  );
}
