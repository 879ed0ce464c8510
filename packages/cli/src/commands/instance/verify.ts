import { SAFE_MODE_PATHS, type StateReport } from '@davit/api';
import { sendInSafeMode } from '../../client/safe-mode.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['instance', 'verify'],
  summary: 'Check the files of an instance in safe mode for damage',
  description: 'The exit code is 1 if a file is damaged or missing. Run the command on the server.',
  examples: [{ line: 'davit instance verify', does: 'Check the database, its log, and the master key' }],
  async run(context) {
    const { out } = context;
    const response = await sendInSafeMode({ method: 'GET', path: SAFE_MODE_PATHS.verify }, context);
    const report = (await response.json()) as StateReport;
    const isGood = report.files.every(({ state }) => state === 'good');
    if (out.isJson) out.json(report);
    else {
      out.list(report.files, {
        columns: [
          { header: 'file', value: ({ file }) => file, style: () => 'bold' },
          { header: 'state', value: ({ state }) => state, style: ({ state }) => (state === 'good' ? 'green' : 'red') },
          { header: 'finding', value: ({ findings }) => findings[0] ?? null },
        ],
        id: ({ file }) => file,
        empty: 'No files found.',
      });
      for (const { file, findings } of report.files)
        for (const finding of findings.slice(1)) out.note(`${file}: ${finding}`);
      out.note(report.message);
    }
    return isGood ? 0 : 1;
  },
});
