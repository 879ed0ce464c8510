import { resolve } from 'node:path';
import { bytes, count, type ExportReport, SAFE_MODE_PATHS } from '@davit/api';
import { demandNewFile, FORCE } from '../../arguments/new-file.ts';
import { writeWhole } from '../../client/download.ts';
import { sendInSafeMode } from '../../client/safe-mode.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';

export const command = defineCommand({
  path: ['instance', 'export'],
  summary: 'Export the readable database rows of an instance in safe mode',
  description:
    'The file is a SQLite database with the same tables. It contains encrypted secrets and hashes of passwords. The command lists lost rows. Run the command on the server.',
  arguments: { file: { description: 'path of the new file', completes: 'file' } },
  options: { force: FORCE },
  examples: [{ line: 'davit instance export rescued.db', does: 'Save all readable rows to the file rescued.db' }],
  async run(context) {
    const { out, args, options, world: runtime, signal } = context;
    const file = resolve(runtime.cwd, args.file);
    await demandNewFile(file, options);
    const response = await sendInSafeMode({ method: 'POST', path: SAFE_MODE_PATHS.export }, context);
    const report = (await response.json()) as ExportReport;
    const { body } = await sendInSafeMode({ method: 'GET', path: SAFE_MODE_PATHS.exported }, context);
    if (body === null) throw new CliError('failed', 'The instance sent no file. Run the command again.');
    await writeWhole(body, file, signal);
    out.done(
      { file, ...report },
      `Saved ${count(report.rows, 'row')} to ${args.file} (${bytes(report.size_bytes)}).`,
      file,
    );
    for (const { table, rows, why } of report.lost)
      out.note(`Lost ${rows === null ? 'rows' : count(rows, 'row')} of the table ${table}: ${why}`, 'yellow');
    if (report.lost.length === 0) out.note('No row was lost.');
  },
});
