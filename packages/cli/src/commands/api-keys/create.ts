import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';

const DAY_MS = 86_400_000;

export const command = defineCommand({
  path: ['key', 'create'],
  summary: 'Create an API key',
  description: 'It is printed this once, alone on stdout. With your rights at most.',
  arguments: { name: { description: 'what it is for' } },
  options: {
    role: { short: 'r', value: 'role', choices: ['viewer', 'member', 'admin'], description: 'less than you may do' },
    project: { short: 'p', value: 'project', repeatable: true, description: 'only this one; absent: all that you see' },
    days: { short: 'd', value: 'days', description: 'how long it works; absent: until it is revoked' },
  },
  examples: [
    { line: 'davit key create ci --role member --project shop', does: 'for a pipeline' },
    { line: 'davit key create laptop --days 90', does: 'one that ends' },
  ],
  async run({ connection, out, world, args, options: { role, project, days } }) {
    if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
      throw new CliError('usage', `«${days}» is no number of days.`);
    const input = {
      name: args.name,
      ...(role !== undefined && { role }),
      ...(project.length > 0 && { projects: project }),
      ...(days !== undefined && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    };
    const key = await ownAccount(await connection(), world).createKey(input);
    shownOnce(out, key, key.key, `This is key ${key.id}, «${key.name}»; it is not shown again.`);
  },
});
