import { type ActionEvent, DATA_DIR, dataDirFlags, runDaemonAction } from '../../client/daemon-program.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';
import type { Prompter } from '../../prompts/prompter.ts';

export const command = defineCommand({
  path: ['instance', 'uninstall'],
  summary: 'Remove the instance from this server',
  description:
    'The command stops the daemon and removes all containers, networks, image tags and firewall rules of the instance. It does not remove objects of other instances or programs. Volumes and the data directory stay, unless you add --delete-data. After an interruption, run the command again. The command also works if the daemon is stopped or its database is damaged. Run it on the server, as the user that runs Davit.',
  options: {
    dryRun: { description: 'only list the objects that the command would remove or keep' },
    deleteData: {
      description: 'also delete the volumes and the data directory, with the database, the master key and the backups',
    },
    confirm: { value: 'id', description: 'ID of the instance, as confirmation without a terminal' },
    dataDir: DATA_DIR,
  },
  examples: [
    { line: 'davit instance uninstall --dry-run', does: 'List the objects of the instance' },
    { line: 'davit instance uninstall', does: 'Remove the instance, and keep its data' },
    { line: 'davit instance uninstall --delete-data --confirm k3x9w2ab', does: 'Remove the instance with its data' },
  ],
  async run({ out, ask, env, globals, options }) {
    const { deleteData, dryRun } = options;
    const flags = [...dataDirFlags(options.dataDir, env), ...(deleteData ? ['--delete-data'] : [])];
    const { plan, lines } = await planOf(flags);
    if (dryRun) {
      if (out.isJson) return out.json(plan);
      for (const line of lines) out.line(line);
      return;
    }
    for (const line of plan.summary) out.note(line);
    const prompt = { deleteData, ask, yes: globals.yes };
    const id = options.confirm ?? (await confirmedId(plan.instance, prompt));
    let result: unknown = null;
    const code = await runDaemonAction({
      args: ['uninstall', ...flags, '--confirm', id],
      onEvent: (event) => {
        if (event.kind === 'result') result = event.data;
        if (!out.isJson && event.kind !== 'plan') for (const line of event.lines) out.line(line);
      },
    });
    if (out.isJson) out.json({ plan, result });
    return code;
  },
});

interface Plan {
  instance: string;
  summary: string[];
}

async function planOf(flags: readonly string[]): Promise<{ plan: Plan; lines: string[] }> {
  let found: ActionEvent | undefined;
  const onEvent = (event: ActionEvent) => {
    if (event.kind === 'plan') found = event;
  };
  await runDaemonAction({ args: ['uninstall', ...flags, '--dry-run'], onEvent });
  if (found === undefined) throw new CliError('failed', 'The daemon program listed no objects. Run the command again.');
  return { plan: found.data as Plan, lines: found.lines };
}

/**
 * Asks the operator to type the id of the instance. The option `--yes` replaces the id only if the data stays.
 * @throws CliError
 */
async function confirmedId(
  instance: string,
  { deleteData, ask, yes }: { deleteData: boolean; ask: Prompter; yes: boolean },
): Promise<string> {
  const what = `This removes the instance ${instance}${deleteData ? ' and all its data' : ''}`;
  if (!ask.isPossible && (deleteData || !yes))
    throw new CliError(
      'usage',
      `${what}. There is no terminal for a confirmation: to continue, add --confirm ${instance}.`,
    );
  await confirm({ what, name: instance }, { ask, yes: yes && !deleteData });
  return instance;
}
