import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { runProgram } from '../../process/programs.ts';
import { registryHost } from '../../up/registry-host.ts';

export const command = defineCommand({
  path: ['registry', 'login'],
  summary: 'Sign Docker in to the registry of the instance',
  description:
    'Runs «docker login» with your key on its stdin. After it, «docker push» to a repository of an app deploys.',
  options: { address: { value: 'host', description: 'where the registry is reached, if not where the instance says' } },
  examples: [{ line: 'davit registry login', does: 'once on each machine that pushes' }],
  async run({ client, connection, out, signal, options }) {
    const { key, url } = await connection();
    if (key === undefined) {
      throw new CliError(
        'usage',
        'Over the local socket there is no key to sign in with: run «davit login <url>» first.',
      );
    }
    const api = await client();
    const [instance, { username }] = await Promise.all([api.getInstance(), api.getMe()]);
    const address = options.address ?? registryHost(url, instance);
    const args = ['login', '--username', username, '--password-stdin', address];
    const ended = await runProgram('docker', args, { input: key, signal });
    if (ended === null) {
      throw new CliError(
        'failed',
        `There is no «docker» here. Push with another client that signs in to ${address} as ${username} with an API key as its password, or build in CI.`,
      );
    }
    if (ended.code !== 0) {
      const words = ended.output.replaceAll(key, '•').trim().split('\n').at(-1) ?? '';
      throw new CliError('failed', `docker login ${address}: ${words || `it ended with ${ended.code}`}`);
    }
    out.done({ address, username }, `Docker is signed in to ${address} as ${username}.`, address);
  },
});
