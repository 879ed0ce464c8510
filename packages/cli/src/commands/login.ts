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
    'Sign in with an API key, or with a user name and a password. With a password, Davit creates an API key for this computer. The command prompts for secrets or reads them from stdin: the API key, or the password with --username. With --claim, stdin must contain the setup token and, on the next line, the password of the first user.',
    'The command stores the API key in ~/.config/davit/credentials.json. Only you can read this file. In a CI pipeline, set DAVIT_URL and DAVIT_API_KEY instead.',
  ].join('\n\n'),
  arguments: {
    url: { description: 'address of the instance (default: the instance of the current context)', optional: true },
  },
  options: {
    username: { short: 'u', value: 'name', description: 'user name to sign in with a password' },
    name: { value: 'context', description: 'name of the context (default: host name and port of the instance)' },
    claim: { description: 'create the first user of a new instance' },
  },
  examples: [
    { line: 'davit login https://davit.example.com', does: 'Sign in and enter your credentials at the prompt' },
    { line: 'pass show davit | davit login https://davit.example.com', does: 'Sign in with an API key from stdin' },
    {
      line: 'davit login http://127.0.0.1:3000 -u ada --name home',
      does: 'Sign in with a password and save the context as `home`',
    },
  ],
  async run({ out, ask: prompter, env, world: runtime, args, options }) {
    const url = args.url === undefined ? await currentUrl(env.configDir) : normalUrl(args.url);
    const account = ownAccount({ url, context: null }, runtime);
    const isClaimed = await account.isClaimed();
    if (options.claim && isClaimed) {
      throw new CliError('conflict', `${url} already has a first user. Sign in without --claim.`);
    }
    const key = await keyFrom(
      account,
      { isClaimed, username: options.username, claims: options.claim },
      { ask: prompter, url },
    );
    await storeLogin({ url, key, name: options.name }, { out, env, world: runtime });
  },
});

async function currentUrl(configDir: string): Promise<string> {
  const { current, contexts } = await readCredentials(configDir);
  const stored = current === null ? undefined : contexts[current];
  if (stored === undefined)
    throw new CliError(
      'usage',
      'No current context. Specify the address of the instance, for example: davit login https://davit.example.com',
    );
  return stored.url;
}
