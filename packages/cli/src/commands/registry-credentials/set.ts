import type { RegistryPatch } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { oneSecret } from '../../prompts/one-secret.ts';

export const command = defineCommand({
  path: ['credential', 'set'],
  summary: 'Change the credentials of a registry',
  description:
    'The command prompts for the new password, or reads the new password from stdin. If you change only the list of projects that use the credentials, the command needs no password. Davit checks the new credentials at the registry. Required role: admin.',
  arguments: { id: { description: 'ID of the registry credentials (see `davit credential list`)' } },
  options: {
    username: { short: 'u', value: 'name', description: 'new user name at the registry' },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that uses the credentials; replaces the list of projects',
    },
    allProjects: { description: 'use the credentials for all projects' },
    noCheck: { description: 'skip the check that the registry accepts the credentials' },
  },
  examples: [
    { line: 'davit credential set 2', does: 'Change the password of registry credentials' },
    {
      line: 'davit credential set 2 --project shop --project blog',
      does: 'Use the credentials only for two projects, and keep the current password',
    },
  ],
  async run({ client, out, ask: prompter, args, options }) {
    if (options.allProjects && options.project.length > 0)
      throw new CliError('usage', 'Specify --project or --all-projects, not both.');
    const projects = options.allProjects ? null : options.project.length > 0 ? options.project : undefined;
    const params = { registry: args.id };
    const api = await client();
    const { host, username } = await api.getRegistry({ params });
    const body: RegistryPatch = { ...(projects !== undefined && { projects }) };
    if (projects === undefined || options.username !== undefined) {
      body.username = options.username ?? username;
      body.password = await oneSecret(prompter, `Password of ${body.username} at ${host}:`);
    }
    const query = { ...(options.noCheck && { check: 'false' as const }) };
    const registry = await api.patchRegistry({ params, query, body });
    out.done(registry, `Davit pulls images of ${registry.host} as ${registry.username}.`, registry.id);
  },
});
