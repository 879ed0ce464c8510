import { ownAccount } from '../client/own-account.ts';
import { forgetContext } from '../credentials/forget.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';

export const command = defineCommand({
  path: ['logout'],
  summary: 'Sign out: revoke the API key of a context and remove the context',
  options: { keepKey: { description: 'forget it here only: the key goes on working elsewhere' } },
  examples: [
    { line: 'davit logout', does: 'of the current context' },
    { line: 'davit logout --context staging', does: 'of another one' },
  ],
  async run({ connection, client, out, env, world, options }) {
    const { context, url } = await connection();
    if (context === null)
      throw new CliError('usage', 'There is no context to sign out of: this is --local or DAVIT_URL.');
    const revoked = options.keepKey ? false : await revokeOwn();
    await forgetContext(env.configDir, context);
    out.done(null, `You are signed out of ${url}${revoked ? '; the key is revoked' : ''}.`);

    async function revokeOwn(): Promise<boolean> {
      try {
        const { key } = await (await client()).getMe();
        if (key === null) return false;
        await ownAccount(await connection(), world).revokeKey(String(key.id));
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    }
  },
});

/** Returns whether the instance no longer accepts the key, so that there is nothing to revoke. */
function isGone(error: unknown): boolean {
  if (error instanceof CliError) return error.exit === 'not_signed_in';
  return (error as { code?: unknown }).code === 'unauthorized';
}
