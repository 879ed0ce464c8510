import type { Backup, Client } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';
import { startedTask } from '../../progress/started-task.ts';
import { confirm } from '../../prompts/confirm.ts';
import { withNewBackup } from './new-backup.ts';

export const command = defineCommand({
  path: ['backup', 'restore'],
  summary: 'Restore a backup, into a new database or in place',
  description:
    'With --in-place, Davit backs up the current data before it replaces the data. If the restore fails, the database keeps the current data. Required role: admin.',
  arguments: { backup: { description: 'ID of the backup (see `davit backup list`)' } },
  options: {
    into: { value: 'database', description: 'new database, as project/environment/name' },
    inPlace: { description: 'replace the current data of the database' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit backup restore 12 --into shop/production/restored', does: 'Restore backup 12 into a new database' },
    { line: 'davit backup restore 12 --in-place', does: 'Replace the current data of the database after confirmation' },
  ],
  async run(context) {
    const { client, ask: prompter, globals, args, options } = context;
    if (options.inPlace === (options.into !== undefined))
      throw new CliError('usage', 'Choose a target: --into project/environment/name or --in-place.');
    const api = await client();
    const params = { backup: args.backup };
    const backup = await api.getBackup({ params });
    const name = backup.database.split('/').at(-1) ?? '';
    if (options.inPlace)
      await confirm(
        { what: `This replaces the current data of ${backup.database}`, name },
        { ask: prompter, yes: globals.yes },
      );
    const body = options.into === undefined ? { in_place: true, confirm: name } : { into: options.into };
    const wanted = { database: backup.database, origin: 'safety' } as const;
    const { answer: task, backup: safety } = await withNewBackup(api, wanted, () =>
      api.restoreBackup({ params, body }),
    );
    const restored = `Restored backup ${backup.id} into ${options.into ?? backup.database}.`;
    const sentence = async () => `${restored}${options.inPlace ? await previousData(api, safety) : ''}`;
    await startedTask(context, task, { noWait: options.noWait, sentence });
  },
});

/**
 * Returns a sentence about the location of the data that an in-place restore has replaced. A backup contains this data.
 * If the database was not running or the backup failed, the data is in the trash.
 */
async function previousData(client: Client, safety: Backup | null): Promise<string> {
  const ended = safety && (await client.getBackup({ params: { backup: String(safety.id) } }));
  return ended?.status === 'succeeded'
    ? ` The previous data is in backup ${ended.id}.`
    : ' The previous data is in the trash: davit database list --trash';
}
