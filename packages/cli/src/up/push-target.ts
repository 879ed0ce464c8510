import { allows, type Client } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import type { PushAs } from './push.ts';
import { registryHost } from './registry-host.ts';

/** Where a push goes, and as whom. */
export interface PushTarget {
  registry: string;
  as: PushAs;
}

/**
 * @param given the registry that a person names; undefined: the instance's own, by its usual name
 * @throws CliError usage when there is no key to push with, forbidden when it may not
 */
export async function pushTarget(ctx: Context, client: Client, given: string | undefined): Promise<PushTarget> {
  const { url, key } = await ctx.connection();
  if (key === undefined) {
    throw new CliError(
      'usage',
      'A push needs an API key, and --local has none: sign in with «davit login». Nothing was done.',
    );
  }
  const [{ username, role }, instance] = await Promise.all([client.getMe(), client.getInstance()]);
  // The registry would say so as well, after a build of minutes, and in fewer words.
  if (!allows(role, 'operate')) {
    throw new CliError('forbidden', `Your role ${role} does not allow a deployment: ask an admin. Nothing was done.`);
  }
  return { registry: given ?? registryHost(url, instance), as: { username, password: key } };
}
