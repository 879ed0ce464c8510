import { defineCommand } from '../../declaration/command.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'add'],
  summary: 'Store the credentials of a registry',
  description:
    'Davit uses the credentials to pull images from the registry. The command prompts for the password, or reads the password from stdin. Davit first checks the credentials at the registry. Credentials of a project take precedence over credentials for all projects. Required role: admin.',
  arguments: {
    host: { description: 'host of the registry, such as ghcr.io or registry.example.com:5000' },
    username: { description: 'user name at the registry' },
  },
  options: {
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that uses the credentials (default: all projects)',
    },
    noCheck: { description: 'skip the check that the registry accepts the credentials' },
  },
  examples: [
    { line: 'davit credential add ghcr.io ada', does: 'Store credentials and enter the password at the prompt' },
    { line: 'pass show ghcr | davit credential add ghcr.io ada', does: 'Store credentials with a password from stdin' },
    { line: 'davit credential add ghcr.io grace --project shop', does: 'Store credentials for one project' },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    const password = await oneSecret(prompter, `Password of ${args.username} at ${args.host}:`);
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const projects = options.project.length === 0 ? null : options.project;
    const body = { host: args.host, username: args.username, password, projects };
    const registry = await (await client()).addRegistry({ query, body });
    out.done(
      registry,
      `Stored the credentials. Davit pulls images of ${registry.host} as ${registry.username}.`,
      registry.id,
    );
  },
});
