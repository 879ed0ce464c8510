import type { Client } from '@davit/api';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import type { PushAs } from './push.ts';
import { registryHost } from './registry-host.ts';

/** Where a push goes, and as whom. */
export interface PushTarget {
  registry: string;
  as: PushAs;
}

/**
 * @param given the registry that a person names; undefined: the instance's own, by its usual name
 * @throws CliError usage when there is no key to push with
 */
export async function pushTarget(ctx: Context, client: Client, given: string | undefined): Promise<PushTarget> {
  const { url, key } = await ctx.connection();
  if (key === undefined) {
    throw new CliError(
      'usage',
      'A push needs an API key, and --local has none: sign in with «davit login». Nothing was done.',
    );
  }
  const [{ username }, instance] = await Promise.all([client.getMe(), client.getInstance()]);
  return { registry: given ?? registryHost(url, instance), as: { username, password: key } };
}
