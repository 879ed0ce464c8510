import { type App, areNested, isRedirectChain, type Redirecting, unsharedPart } from '@davit/api';
import type { DavitFile } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
import type { DomainWork } from './domains.ts';
import type { Observed } from './observe.ts';
import type { Plan } from './plan.ts';
import { settingsOf } from './settings.ts';

/**
 * Checks that the instance can apply a plan completely. Items of the app that davit.yaml omits stay, so they can
 * contradict davit.yaml. Without this check, `davit up` would fail after its first changes.
 * @throws CliError with exit `conflict`
 */
export function demandPossible(file: DavitFile, { domains, volumes }: Plan, { app }: Pick<Observed, 'app'>): void {
  const { scale, port } = settingsOf(file, app);
  const allVolumes = [...file.volumes.map((path) => ({ path })), ...(app?.volumes ?? [])];
  const part = unsharedPart(scale, { volumes: allVolumes, tcpPorts: app?.tcp_ports ?? [] });
  if (part !== null) {
    const what = 'volume' in part ? `a volume at ${part.volume}` : `the published TCP port ${part.port}`;
    throw refused(`${file.app} has ${what}, so it can have only one replica, and not ${scale}. Set "scale" to 1.`);
  }
  for (const path of volumes) {
    const other = app?.volumes.find((one) => areNested(one.path, path));
    if (other === undefined) continue;
    throw refused(`One of the volumes ${path} and ${other.path} of ${file.app} is inside the other. Change the path.`);
  }
  demandNoChain(file, redirectsAfter(domains, app?.domains ?? []));
  const closed = port === null ? domains.add.find((one) => one.port == null && one.redirect_to == null) : undefined;
  if (closed === undefined) return;
  throw refused(`${file.app} has no port for the domain ${closed.host}. Set "port" of the app or of the domain.`);
}

function demandNoChain({ app }: DavitFile, domains: readonly Redirecting[]): void {
  for (const first of domains) {
    const next = domains.find((other) => isRedirectChain(first, other));
    if (next === undefined) continue;
    throw refused(
      `The domain ${first.host} of ${app} would redirect to ${next.host}, which is itself redirected. Redirect to a host that is not redirected.`,
    );
  }
}

/** Returns the redirects of the app's domains after the plan was applied. */
function redirectsAfter({ add, change }: DomainWork, there: App['domains']): Redirecting[] {
  const targets = new Map(change.map(({ id, body }) => [id, body.redirect_to as string | null | undefined]));
  const after = there.map(({ id, redirect_to: target, ...rest }) => {
    const changed = targets.get(id);
    return { ...rest, redirect_to: changed === undefined ? target : changed };
  });
  return [...after, ...add].map(({ host, path, redirect_to }) => ({
    host,
    path: path ?? '',
    redirect_to: redirect_to ?? null,
  }));
}

function refused(why: string): CliError {
  return new CliError('conflict', `${why} Nothing was changed.`);
}
