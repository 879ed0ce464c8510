import { query } from '../api.ts';
import { Appearance } from '../components/account/appearance.tsx';
import { Connections } from '../components/account/connections.tsx';
import { OwnKeys } from '../components/account/keys.tsx';
import { ownConnections, ownKeys, ownSessions } from '../components/account/own.ts';
import { Password } from '../components/account/password.tsx';
import { OwnSessions } from '../components/account/sessions.tsx';
import { Who } from '../components/account/who.tsx';
import { useMe } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { buttonClass } from '../ui/button.tsx';

export async function load({ queries }: LoadArgs) {
  await Promise.all([
    queries.ensureQueryData(query('getMe')),
    queries.ensureQueryData(query('listProjects')),
    queries.ensureQueryData(query('getOwnRegistry')),
    queries.ensureQueryData(ownKeys),
    queries.ensureQueryData(ownSessions),
    queries.ensureQueryData(ownConnections),
  ]);
}

export function Page() {
  const me = useMe();
  return (
    <Frame
      title="Account"
      actions={
        <a href="/docs" className={buttonClass('plain')}>
          API documentation
        </a>
      }
    >
      <div className="grid gap-5 lg:grid-cols-2">
        <Who me={me} />
        <Password username={me.username} />
      </div>
      <OwnKeys />
      <Connections />
      <OwnSessions />
      <Appearance />
    </Frame>
  );
}
