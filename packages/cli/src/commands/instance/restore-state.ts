import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RestoreReport, SAFE_MODE_PATHS } from '@davit/api';
import { ACCEPT_ROWS, pathWith, sendInSafeMode } from '../../client/safe-mode.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['instance', 'restore-state'],
  summary: 'Replace the database of an instance in safe mode with a copy, and start the instance',
  description:
    'The instance checks the copy first. It keeps the previous files of the database in a folder. Changes that the copy does not contain are lost. Run the command on the server.',
  arguments: { file: { description: 'path of the copy of the file davit.db', completes: 'file' } },
  options: { acceptRows: ACCEPT_ROWS },
  examples: [
    { line: 'davit instance restore-state rescued.db', does: 'Restore the rows that `davit instance export` saved' },
  ],
  async run(context) {
    const { out, args, options, ask: prompter, globals, world: runtime } = context;
    const file = resolve(runtime.cwd, args.file);
    const bytes = await sizeOf(file);
    if (bytes === null || bytes === 0) throw new CliError('usage', `${file} does not exist or is empty.`);
    await confirm(
      { what: 'This replaces the database of the instance on this server', name: args.file },
      { ask: prompter, yes: globals.yes },
    );
    // A copy of the data directory can contain the newest changes only in the write-ahead log.
    const log = await sizeOf(`${file}-wal`);
    if (log) await upload(SAFE_MODE_PATHS.receiveLog, `${file}-wal`, log, context);
    const response = await upload(pathWith(SAFE_MODE_PATHS.restore, options, Boolean(log)), file, bytes, context);
    const report = (await response.json()) as RestoreReport;
    out.done(report, `The database was replaced. Its previous files are in ${report.previous}.`, report.previous);
    return outcome(report, context);
  },
});

function outcome({ problem, message }: RestoreReport, { out }: Pick<Context, 'out'>): number {
  if (problem === null) {
    out.note('The instance is starting.');
    return 0;
  }
  out.note(`The instance is still in safe mode: ${message}`, 'red');
  return 1;
}

async function upload(path: string, file: string, bytes: number, context: Context): Promise<Response> {
  const body = createReadStream(file);
  try {
    return await sendInSafeMode({ method: 'PUT', path, upload: { body, bytes } }, context);
  } finally {
    body.destroy();
  }
}

/** Returns the size of a file in bytes, or `null` if there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch {
    // An unreadable file is treated as missing. The error message names the file.
    return null;
  }
}
