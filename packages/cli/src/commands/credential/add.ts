import { defineCommand } from '../../command.ts';
import { oneSecret } from '../../one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'add'],
  summary: 'Store the credentials of a registry',
  description:
    'Images of that host are pulled with them from now on. The password is asked for, or read from stdin. The registry is asked first. Admins only.',
  arguments: {
    host: { description: 'such as ghcr.io or registry.example.com:5000' },
    username: { description: 'the account there' },
  },
  options: { noCheck: { description: 'do not ask the registry, for one that cannot be reached right now' } },
  examples: [
    { line: 'davit credential add ghcr.io ada', does: 'asks for the password' },
    { line: 'pass show ghcr | davit credential add ghcr.io ada', does: 'from a program' },
  ],
  async run({ client, out, ask, args, options }) {
    const password = await oneSecret(ask, `Password of ${args.username} at ${args.host}:`);
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const body = { host: args.host, username: args.username, password };
    const registry = await (await client()).addRegistry({ query, body });
    out.done(registry, `Images of ${registry.host} are pulled as ${registry.username}.`, registry.id);
  },
});
