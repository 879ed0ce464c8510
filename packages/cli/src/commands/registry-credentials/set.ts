import type { RegistryPatch } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'set'],
  summary: 'Change the credentials of a registry',
  description:
    'The command asks for the password, or reads it from stdin, unless you change only the projects. It checks the credentials at the registry. Admins only.',
  arguments: { number: { description: 'as the list shows it' } },
  options: {
    username: { short: 'u', value: 'name', description: 'another account there' },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'only for this project; replaces the list of projects',
    },
    allProjects: { description: 'for all projects' },
    noCheck: { description: 'skip the check, for a registry that cannot be reached now' },
  },
  examples: [
    { line: 'davit credential set 2', does: 'asks for the new password' },
    { line: 'davit credential set 2 --project shop --project blog', does: 'used by these two projects, same password' },
  ],
  async run({ client, out, ask, args, options }) {
    if (options.allProjects && options.project.length > 0)
      throw new CliError('usage', 'Give --project or --all-projects, not both.');
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
