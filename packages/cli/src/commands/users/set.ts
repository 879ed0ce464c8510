import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';
import { userFields } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'set'],
  summary: 'Change the permissions of a user, block the user, or set a new password',
  description: 'The change takes effect at the next request of the user. Required role: admin.',
  arguments: { username: { description: 'name of the user' } },
  options: {
    role: { short: 'r', value: 'role', choices: ['viewer', 'member', 'admin'], description: 'new role of the user' },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that the user can access; replaces the list of projects',
    },
    allProjects: { description: 'give the user access to all projects' },
    block: { description: 'block the user: sign-in and API keys do not work' },
    unblock: { description: 'unblock the user' },
    resetPassword: { description: 'generate a new password and print the password once' },
  },
  examples: [
    { line: 'davit user set grace --block', does: 'Block the user `grace`' },
    { line: 'davit user set grace --role viewer --all-projects', does: 'Give a user read access to all projects' },
  ],
  async run({ client, out, args, options }) {
    if (options.block && options.unblock) throw new CliError('usage', 'Use --block or --unblock, not both.');
    const projects = options.allProjects ? null : options.project.length > 0 ? options.project : undefined;
    const body = {
      ...(options.role !== undefined && { role: options.role }),
      ...(projects !== undefined && { projects }),
      ...((options.block || options.unblock) && { blocked: options.block }),
      ...(options.resetPassword && { reset_password: true as const }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError(
        'usage',
        'Nothing to change: specify --role, --project, --all-projects, --block, --unblock or --reset-password.',
      );
    const user = await (await client()).patchUser({ params: { user: args.username }, body });
    if (user.password === undefined) out.record(user, userFields(user), user.username);
    else
      shownOnce(
        out,
        user,
        user.password,
        `This is the new password of ${user.username}. Davit does not show the password again.`,
      );
  },
});
