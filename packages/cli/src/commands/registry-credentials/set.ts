import type { RegistryPatch } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'set'],
  summary: 'Change the credentials of a registry',
  description:
    'The command prompts for the password, or reads the password from stdin. If you change only the projects, no password is needed. Davit checks the new credentials at the registry. Required role: admin.',
  arguments: { number: { description: 'number of the registry credentials, as in `davit credential list`' } },
  options: {
    username: { short: 'u', value: 'name', description: 'new user name at the registry' },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that uses the credentials; replaces the list of projects',
    },
    allProjects: { description: 'use the credentials for all projects' },
    noCheck: { description: 'do not check the credentials at the registry' },
  },
  examples: [
    { line: 'davit credential set 2', does: 'Change the password' },
    { line: 'davit credential set 2 --project shop --project blog', does: 'Change the projects and keep the password' },
  ],
  async run({ client, out, ask, args, options }) {
    if (options.allProjects && options.project.length > 0)
      throw new CliError('usage', 'Specify --project or --all-projects, not both.');
    const projects = options.allProjects ? null : options.project.length > 0 ? options.project : undefined;
    const params = { registry: args.number };
    const api = await client();
    const { host, username } = await api.getRegistry({ params });
    const body: RegistryPatch = { ...(projects !== undefined && { projects }) };
    if (projects === undefined || options.username !== undefined) {
      body.username = options.username ?? username;
      body.password = await oneSecret(ask, `Password of ${body.username} at ${host}:`);
    }
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const registry = await api.patchRegistry({ params, query, body });
    out.done(registry, `Images of ${registry.host} are pulled as ${registry.username}.`, registry.id);
  },
});
