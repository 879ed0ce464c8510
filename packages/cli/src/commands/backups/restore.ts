import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['backup', 'restore'],
  summary: 'Restore a backup, into a new database or in place',
  description:
    'In place what the database has now is backed up first, and serves again when anything fails. Admins only.',
  arguments: { backup: { description: 'its number' } },
  options: {
    into: { value: 'database', description: 'a new one, as project/environment/name' },
    inPlace: { description: 'replace what the database has now' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit backup restore 12 --into shop/production/restored', does: 'beside the old one' },
    { line: 'davit backup restore 12 --in-place', does: 'asks for the database’s name first' },
  ],
  async run(context) {
    const { client, ask, globals, args, options } = context;
    if (options.inPlace === (options.into !== undefined))
      throw new CliError('usage', 'Say where to: --into project/environment/name, or --in-place.');
    const api = await client();
    const params = { backup: args.backup };
    const backup = await api.getBackup({ params });
    const name = backup.database.split('/').at(-1) ?? '';
    if (options.inPlace)
      await confirm({ what: `This replaces what ${backup.database} has now`, name }, { ask, yes: globals.yes });
    const body = options.into === undefined ? { in_place: true, confirm: name } : { into: options.into };
    const task = await api.restoreBackup({ params, body });
    const sentence = `Backup ${backup.id} is restored into ${options.into ?? backup.database}.`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});
