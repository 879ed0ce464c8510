import { SESSION_IDLE_MS } from '../../auth/sessions.ts';
import { hasExposedSession } from '../../db/tables/session.ts';
import { allTcpPorts } from '../../db/tables/tcp-port.ts';
import type { InstanceDeps } from './deps.ts';

/**
 * Returns a warning if apps could receive session cookies of Davit, or `null`. Without TLS or at `localhost`, a browser
 * sends the cookies of a host to all ports of the host.
 */
export function exposedSessionProblem({ store, now }: Pick<InstanceDeps, 'store' | 'now'>): string | null {
  const ports = allTcpPorts(store).map((row) => row.host_port);
  if (ports.length === 0 || !hasExposedSession(store, now(), SESSION_IDLE_MS)) return null;
  const which = ports.length === 1 ? `the port ${ports[0]}` : `${ports.length} ports`;
  return `A user is signed in to the dashboard without TLS, or at localhost, and apps publish ${which} of the server. A browser may therefore send the session cookie to an app. Open the dashboard over HTTPS at its domain, and sign out of the other session.`;
}
