import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';

export const command = defineCommand({
  path: ['user', 'create'],
  summary: 'Create a user',
  description: 'A password is made and printed this once. Admins only.',
  arguments: { username: { description: 'lower-case letters, digits, «.», «_» and «-»' } },
  options: {
    role: { short: 'r', value: 'role', choices: ['viewer', 'member', 'admin'], description: 'what they may do' },
    project: { short: 'p', value: 'project', repeatable: true, description: 'only this one; absent: all' },
  },
  examples: [{ line: 'davit user create grace --role member --project shop', does: 'a member of one project' }],
  async run({ client, out, args, options: { role, project } }) {
    if (role === undefined) throw new CliError('usage', 'Say what they may do: --role viewer, member or admin.');
    const body = { username: args.username, role, ...(project.length > 0 && { projects: project }) };
    const user = await (await client()).createUser({ body });
    shownOnce(out, user, user.password ?? '', `${user.username} signs in with this password; it is not shown again.`);
  },
});
