import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';
import { userFields } from '../../views/user.ts';

export const command = defineCommand({
  path: ['user', 'set'],
  summary: 'Change the rights of a user, block the user, or set a new password',
  description: 'It acts on their next request. Admins only.',
  arguments: { username: { description: 'whom to change' } },
  options: {
    role: { short: 'r', value: 'role', choices: ['viewer', 'member', 'admin'], description: 'what they may do' },
    project: { short: 'p', value: 'project', repeatable: true, description: 'only this one; all are replaced' },
    allProjects: { description: 'all projects' },
    block: { description: 'they cannot sign in, and their keys do not work' },
    unblock: { description: 'they can again' },
    resetPassword: { description: 'make a new one and print it this once' },
  },
  examples: [
    { line: 'davit user set grace --block', does: 'shuts grace out at once' },
    { line: 'davit user set grace --role viewer --all-projects', does: 'may look at everything' },
  ],
  async run({ client, out, args, options }) {
    if (options.block && options.unblock) throw new CliError('usage', 'Say one of --block and --unblock.');
    const projects = options.allProjects ? null : options.project.length > 0 ? options.project : undefined;
    const body = {
      ...(options.role !== undefined && { role: options.role }),
      ...(projects !== undefined && { projects }),
      ...((options.block || options.unblock) && { blocked: options.block }),
      ...(options.resetPassword && { reset_password: true as const }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError('usage', 'Nothing was to be changed: name --role, --project, --block or --reset-password.');
    const user = await (await client()).patchUser({ params: { user: args.username }, body });
    if (user.password === undefined) out.record(user, userFields(user), user.username);
    else shownOnce(out, user, user.password, `${user.username} signs in with this password; it is not shown again.`);
  },
});
