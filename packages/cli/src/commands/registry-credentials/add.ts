import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'add'],
  summary: 'Store the credentials of a registry',
  description:
    'Davit pulls images of that host with these credentials from now on. The command asks for the password, or reads it from stdin, and checks the credentials at the registry. The credentials of a project take precedence over those for all projects. Admins only.',
  arguments: {
    host: { description: 'such as ghcr.io or registry.example.com:5000' },
    username: { description: 'the account there' },
  },
  options: {
    project: { short: 'p', value: 'project', repeatable: true, description: 'only for this project; default: all' },
    noCheck: { description: 'skip the check, for a registry that cannot be reached now' },
  },
  examples: [
    { line: 'davit credential add ghcr.io ada', does: 'asks for the password' },
    { line: 'pass show ghcr | davit credential add ghcr.io ada', does: 'from a program' },
    { line: 'davit credential add ghcr.io grace --project shop', does: 'only for the project shop' },
  ],
  async run({ client, out, ask, args, options }) {
    const password = await oneSecret(ask, `Password of ${args.username} at ${args.host}:`);
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const projects = options.project.length === 0 ? null : options.project;
    const body = { host: args.host, username: args.username, password, projects };
    const registry = await (await client()).addRegistry({ query, body });
    out.done(registry, `Images of ${registry.host} are pulled as ${registry.username}.`, registry.id);
  },
});
