import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { runProgram } from '../../process/programs.ts';
import { registryHost } from '../../up/registry-host.ts';

export const command = defineCommand({
  path: ['registry', 'login'],
  summary: 'Sign in to the registry of the instance with Docker',
  description:
    'Runs `docker login` on this computer with your API key, so that you can push images to the registry. A push to the repository of an app deploys the app.',
  options: {
    address: { value: 'host', description: 'host of the registry (default: the registry of the instance)' },
  },
  examples: [{ line: 'davit registry login', does: 'Run `docker login` for the registry of the instance' }],
  async run({ client, connection, out, signal, options }) {
    const { key, url } = await connection();
    if (key === undefined) {
      throw new CliError(
        'usage',
        'The registry requires an API key, and --local connects without one. To create an API key, run: davit login <url>',
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
        `Docker is not installed. Use another client: sign in to ${address} as ${username}, with an API key as the password. Or build in CI.`,
      );
    }
    if (ended.code !== 0) {
      const words = ended.output.replaceAll(key, '•').trim().split('\n').at(-1) ?? '';
      throw new CliError('failed', `docker login ${address} failed: ${words || `exit code ${ended.code}`}`);
    }
    out.done({ address, username }, `Docker is signed in to ${address} as ${username}.`, address);
  },
});
