import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';

export const command = defineCommand({
  path: ['user', 'create'],
  summary: 'Create a user',
  description: 'The command generates a password for the new user and prints the password once. Required role: admin.',
  arguments: { username: { description: 'name of the user: lower-case letters, digits, ".", "_" and "-"' } },
  options: {
    role: {
      short: 'r',
      value: 'role',
      choices: ['viewer', 'member', 'admin'],
      description: 'role of the user (required)',
    },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that the user can access (default: all projects)',
    },
  },
  examples: [
    {
      line: 'davit user create grace --role member --project shop',
      does: 'Create a member with access to one project',
    },
  ],
  async run({ client, out, args, options: { role, project } }) {
    if (role === undefined)
      throw new CliError(
        'usage',
        'Cannot create the user: no role is specified. Add --role viewer, --role member or --role admin.',
      );
    const body = { username: args.username, role, ...(project.length > 0 && { projects: project }) };
    const user = await (await client()).createUser({ body });
    shownOnce(
      out,
      user,
      user.password ?? '',
      `This is the password of ${user.username}. Davit does not show the password again.`,
    );
  },
});
