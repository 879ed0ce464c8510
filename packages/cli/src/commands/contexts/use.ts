import { noSuchContext } from '../../credentials/choose.ts';
import { readCredentials, writeCredentials } from '../../credentials/store.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['context', 'use'],
  summary: 'Switch to another context',
  arguments: { name: { description: 'name of the context (see `davit context list`)', completes: 'context' } },
  examples: [{ line: 'davit context use staging', does: 'Switch to the context `staging`' }],
  async run({ out, env, args: { name } }) {
    const credentials = await readCredentials(env.configDir);
    const chosen = Object.hasOwn(credentials.contexts, name) ? credentials.contexts[name] : undefined;
    if (chosen === undefined) throw noSuchContext(name, credentials);
    await writeCredentials(env.configDir, { ...credentials, current: name });
    const { url, username } = chosen;
    out.done({ name, url, username, current: true }, `Switched to context ${name}: ${url} as ${username}.`, name);
  },
});
