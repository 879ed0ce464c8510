import { ownAccount } from '../client/own-account.ts';
import { forgetContext } from '../credentials/forget.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';

export const command = defineCommand({
  path: ['logout'],
  summary: 'Sign out: revoke the API key of a context and remove the context',
  options: { keepKey: { description: 'do not revoke the API key; only remove the context' } },
  examples: [
    { line: 'davit logout', does: 'Sign out of the current context' },
    { line: 'davit logout --context staging', does: 'Sign out of another context' },
  ],
  async run({ connection, client, out, env, world: runtime, options }) {
    const { context, url } = await connection();
    if (context === null)
      throw new CliError(
        'usage',
        'Cannot sign out: you are using --local or DAVIT_URL instead of a context. Remove --local and unset DAVIT_URL.',
      );
    const revoked = options.keepKey ? false : await revokeOwn();
    await forgetContext(env.configDir, context);
    out.done(null, `Signed out of ${url}${revoked ? ' and revoked the API key' : ''}.`);

    async function revokeOwn(): Promise<boolean> {
      try {
        const { key } = await (await client()).getMe();
        if (key === null) return false;
        await ownAccount(await connection(), runtime).revokeKey(String(key.id));
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    }
  },
});

/**
 * Returns whether an error means that the instance no longer accepts the API key. In this case, `davit logout` does not
 * need to revoke the key.
 */
function isGone(error: unknown): boolean {
  if (error instanceof CliError) return error.exit === 'not_signed_in';
  return (error as { code?: unknown }).code === 'unauthorized';
}
