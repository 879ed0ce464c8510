import { DavitError, type Task } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { addressOf, servingOf } from '../views/address.ts';

/**
 * Returns the addresses of the installed apps of a template, such as ` web: http://web.example.com/`. Apps without a
 * port are omitted.
 */
export async function installedAddresses({ client: connect, out }: Context, { subject }: Task): Promise<string> {
  // Adds no addresses to the output if `--json` is set. A script can get the addresses from the API.
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

/** A user may have deleted an app of the installation by hand. */
function nullIfDeleted(error: unknown): null {
  if (error instanceof DavitError && error.code === 'not_found') return null;
  throw error;
}
