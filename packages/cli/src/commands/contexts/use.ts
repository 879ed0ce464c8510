import { noSuchContext } from '../../credentials/choose.ts';
import { readCredentials, writeCredentials } from '../../credentials/store.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['context', 'use'],
  summary: 'Switch to another context',
  arguments: { name: { description: 'as the list shows it', completes: 'context' } },
  examples: [{ line: 'davit context use staging', does: 'from now on' }],
  async run({ out, env, args: { name } }) {
    const credentials = await readCredentials(env.configDir);
    const chosen = Object.hasOwn(credentials.contexts, name) ? credentials.contexts[name] : undefined;
    if (chosen === undefined) throw noSuchContext(name, credentials);
    await writeCredentials(env.configDir, { ...credentials, current: name });
    const { url, username } = chosen;
    out.done({ name, url, username, current: true }, `${name} is the current context: ${url} as ${username}.`, name);
  },
});
