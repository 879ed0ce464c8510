import { defineCommand } from '../../command.ts';
import { oneSecret } from '../../one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'set'],
  summary: 'Change the credentials of a registry',
  description: 'The password is asked for, or read from stdin. The registry is asked first. Admins only.',
  arguments: { number: { description: 'as the list shows it' } },
  options: {
    username: { short: 'u', value: 'name', description: 'another account there' },
    noCheck: { description: 'do not ask the registry, for one that cannot be reached right now' },
  },
  examples: [{ line: 'davit credential set 2', does: 'asks for the new password' }],
  async run({ client, out, ask, args, options }) {
    const params = { registry: args.number };
    const api = await client();
    const { host, username } = await api.getRegistry({ params });
    const account = options.username ?? username;
    const password = await oneSecret(ask, `Password of ${account} at ${host}:`);
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const registry = await api.patchRegistry({ params, query, body: { username: account, password } });
    out.done(registry, `Images of ${registry.host} are pulled as ${registry.username}.`, registry.id);
  },
});
