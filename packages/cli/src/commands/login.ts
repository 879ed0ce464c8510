import { ownAccount } from '../client/own-account.ts';
import { normalUrl } from '../credentials/choose.ts';
import { readCredentials } from '../credentials/store.ts';
import { defineCommand } from '../declaration/command.ts';
import { CliError } from '../errors/exit.ts';
import { keyFrom } from '../login/key.ts';
import { storeLogin } from '../login/store-login.ts';

export const command = defineCommand({
  path: ['login'],
  summary: 'Sign in to an instance and store an API key',
  description: [
    'With an API key, or with a username and a password, of which a key is made that is named after this machine. Secrets are asked for, or read from stdin: the key; with --username the password; with --claim the setup token and, on the next line, the password of the first account.',
    'The key is kept in ~/.config/davit/credentials.json, readable to you alone. A pipeline sets DAVIT_URL and DAVIT_API_KEY instead and needs no login.',
  ].join('\n\n'),
  arguments: { url: { description: 'the address of its API; absent: of the current context', optional: true } },
  options: {
    username: { short: 'u', value: 'name', description: 'sign in with a password' },
    name: { value: 'context', description: 'what to call it here; absent: its host' },
    claim: { description: 'make the first account of a new instance' },
  },
  examples: [
    { line: 'davit login https://davit.example.com', does: 'asks for what it needs' },
    { line: 'pass show davit | davit login https://davit.example.com', does: 'a key from a program' },
    { line: 'davit login http://127.0.0.1:3000 -u ada --name home', does: 'with a password' },
  ],
  async run({ out, ask, env, world, args, options }) {
    const url = args.url === undefined ? await currentUrl(env.configDir) : normalUrl(args.url);
    const account = ownAccount({ url, context: null }, world);
    const isClaimed = await account.isClaimed();
    if (options.claim && isClaimed) {
      throw new CliError('conflict', `${url} has been claimed already: sign in without --claim.`);
    }
    const key = await keyFrom(account, { isClaimed, username: options.username, claims: options.claim }, { ask, url });
    await storeLogin({ url, key, name: options.name }, { out, env, world });
  },
});

async function currentUrl(configDir: string): Promise<string> {
  const { current, contexts } = await readCredentials(configDir);
  const stored = current === null ? undefined : contexts[current];
  if (stored === undefined)
    throw new CliError('usage', 'Name the instance: davit login <url>, such as http://127.0.0.1:3000.');
  return stored.url;
}
