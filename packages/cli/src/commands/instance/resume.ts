import { type ResumeReport, SAFE_MODE_PATHS } from '@davit/api';
import { ACCEPT_ROWS, pathWith, sendInSafeMode } from '../../client/safe-mode.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';

export const command = defineCommand({
  path: ['instance', 'resume'],
  summary: 'End safe mode after a repair, and start the instance',
  description: 'Run this command on the server after you repaired a file yourself, for example the master key.',
  options: { acceptRows: ACCEPT_ROWS },
  examples: [{ line: 'davit instance resume', does: 'Check the files again, and start the instance' }],
  async run(context) {
    const response = await sendInSafeMode(
      { method: 'POST', path: pathWith(SAFE_MODE_PATHS.resume, context.options) },
      context,
    );
    const report = (await response.json()) as ResumeReport;
    if (report.problem !== null)
      throw new CliError('conflict', `The instance is still in safe mode: ${report.message}`);
    context.out.done(report, 'The instance is starting.');
  },
});
