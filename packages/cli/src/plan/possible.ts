import { isWithin } from '@davit/api';
import type { DavitFile } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
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
  const [volume] = [...file.volumes, ...(app?.volumes ?? []).map(({ path }) => path)];
  const what = volume === undefined ? publishedPort(app) : `a volume at ${volume}`;
  if (scale > 1 && what !== null)
    throw refused(`${file.app} has ${what}, so it can have only one replica, and not ${scale}. Set "scale" to 1.`);
  for (const path of volumes) {
    const other = app?.volumes.find((one) => isWithin(one.path, path) || isWithin(path, one.path));
    if (other === undefined) continue;
    throw refused(`One of the volumes ${path} and ${other.path} of ${file.app} is inside the other. Change the path.`);
  }
  const closed = port === null ? domains.add.find((one) => one.port == null && one.redirect_to == null) : undefined;
  if (closed === undefined) return;
  throw refused(`${file.app} has no port for the domain ${closed.host}. Set "port" of the app or of the domain.`);
}

function publishedPort(app: Observed['app']): string | null {
  const [port] = app?.tcp_ports ?? [];
  return port === undefined ? null : `the published TCP port ${port.host_port}`;
}

function refused(why: string): CliError {
  return new CliError('conflict', `${why} Nothing was changed.`);
}
