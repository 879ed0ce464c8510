import { DavitError, type Task } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { addressOf, servingOf } from '../views/address.ts';

/**
 * Returns the URLs of the apps that were installed from a template, such as ` web: http://web.example.com/`. Apps
 * without a port are omitted.
 */
export async function installedAddresses({ client: connect, out }: Context, { subject }: Task): Promise<string> {
  // If `--json` is set, no URLs are printed. A script can get the URLs from the API.
  if (out.isJson) return '';
  const client = await connect();
  const [{ project, environment, resources }, serving] = await Promise.all([
    client.getTemplateInstall({ params: { install: subject.name } }),
    servingOf(client),
  ]);
  const names = resources.filter(({ kind }) => kind === 'app').map(({ name }) => name);
  const apps = await Promise.all(
    names.map((app) => client.getApp({ params: { project, environment, app } }).catch(nullIfDeleted)),
  );
  const addresses = apps.flatMap((app) => {
    const address = app && addressOf(app, serving);
    return address === null ? [] : [`${app?.name}: ${address}`];
  });
  return addresses.length === 0 ? '' : ` ${addresses.join(', ')}`;
}

/** Returns `null` if the app does not exist, because a user may have deleted the app after the installation. */
function nullIfDeleted(error: unknown): null {
  if (error instanceof DavitError && error.code === 'not_found') return null;
  throw error;
}
