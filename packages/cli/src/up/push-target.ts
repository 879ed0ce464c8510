import { allows, type Client } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import type { PushAs } from './push.ts';
import { registryHost } from './registry-host.ts';

export interface PushTarget {
  registry: string;
  as: PushAs;
}

/**
 * Returns the registry and the credentials for a push. If `given` is absent, the registry of the instance is used.
 * @throws CliError with exit `usage` without an API key, or `forbidden`
 */
export async function pushTarget(ctx: Context, client: Client, given: string | undefined): Promise<PushTarget> {
  const { url, key } = await ctx.connection();
  if (key === undefined) {
    throw new CliError(
      'usage',
      'Cannot push an image: the registry requires an API key, and --local connects without one. Sign in with `davit login`. Nothing was changed.',
    );
  }
  const [{ username, role }, instance] = await Promise.all([client.getMe(), client.getInstance()]);
  // The role is checked before the build. Otherwise, the registry would refuse the push only after the build.
  if (!allows(role, 'operate')) {
    throw new CliError(
      'forbidden',
      `Your role ${role} does not allow a deployment: ask an admin. Nothing was changed.`,
    );
  }
  return { registry: given ?? registryHost(url, instance), as: { username, password: key } };
}
