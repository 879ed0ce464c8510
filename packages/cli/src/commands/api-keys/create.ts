import { ownAccount } from '../../client/own-account.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { shownOnce } from '../../output/shown-once.ts';

const DAY_MS = 86_400_000;

export const command = defineCommand({
  path: ['key', 'create'],
  summary: 'Create an API key',
  description:
    'Prints the API key once, on stdout. The API key never has more permissions than you have. An API key that expires, or that has fewer permissions than you, cannot create users or API keys.',
  arguments: { name: { description: 'name of the API key, such as ci or laptop' } },
  options: {
    role: {
      short: 'r',
      value: 'role',
      choices: ['viewer', 'member', 'admin'],
      description: 'role of the API key (default: your role)',
    },
    project: {
      short: 'p',
      value: 'project',
      repeatable: true,
      description: 'project that the API key can access (default: all your projects)',
    },
    days: { short: 'd', value: 'days', description: 'validity in days (default: until you revoke the key)' },
  },
  examples: [
    { line: 'davit key create ci --role member --project shop', does: 'Create an API key for a CI pipeline' },
    { line: 'davit key create laptop --days 90', does: 'Create an API key that expires' },
  ],
  async run({ connection, out, world: runtime, args, options: { role, project, days } }) {
    if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
      throw new CliError('usage', `"${days}" is not a valid number of days: write 1 to 99999.`);
    const input = {
      name: args.name,
      ...(role !== undefined && { role }),
      ...(project.length > 0 && { projects: project }),
      ...(days !== undefined && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    };
    const key = await ownAccount(await connection(), runtime).createKey(input);
    shownOnce(out, key, key.key, `Created API key ${key.id} (${key.name}). Davit does not show the API key again.`);
  },
});
