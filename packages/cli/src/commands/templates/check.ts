import { defineCommand } from '../../declaration/command.ts';
import { EXIT } from '../../errors/exit.ts';
import { VERSION } from '../../version.ts';
import { templateIo } from './io.ts';

export const command = defineCommand({
  path: ['template', 'check'],
  summary: 'Check a template.yaml',
  description:
    'Runs the checks of the catalog on your computer, without an instance. Shows the line of each problem and a solution. You can check a file, a folder or a URL. For a folder, the command checks all templates in the folder. In the folder of a repository, the command also checks README.md and icon.png. A URL points to a file, to a GitHub repository or to a GitHub release. If there are errors, the exit code is 1.',
  arguments: {
    target: {
      description: 'file, folder or URL to check, or "-" for stdin (default: the current folder)',
      optional: true,
      variadic: true,
    },
  },
  options: {
    sarif: { description: 'print the result as SARIF 2.1.0, for code scanning' },
    strict: { description: 'also exit with code 1 if there are only warnings' },
  },
  examples: [
    { line: 'davit template check', does: 'Check the template in the current folder' },
    { line: 'davit template check --sarif . > template.sarif', does: 'Write the result to a SARIF file' },
    { line: 'davit template check https://github.com/acme/hello-template', does: 'Check the template of a repository' },
  ],
  async run(ctx) {
    const { args, options, out } = ctx;
    const { checkReport, checkTarget, isRefused, jsonOf } = await import('@davit/template/command');
    const io = templateIo(ctx);
    const targets = args.target !== undefined && args.target.length > 0 ? args.target : ['.'];
    const checked = [];
    for (const target of targets) checked.push(await io.reading(() => checkTarget(target, io)));
    const files = checked.flatMap((target) => target.files);
    if (options.sarif) {
      const { sarifLog } = await import('@davit/template/report');
      out.json(sarifLog(files, VERSION));
    } else if (out.isJson) out.json(jsonOf(checked));
    else if (out.isQuiet) for (const { file } of files.filter(({ manifest }) => manifest === null)) out.line(file);
    else for (const line of checkReport(files, { paint: out.paint, width: out.width })) out.painted(line);
    return isRefused(files, options.strict) ? EXIT.failed.code : EXIT.ok.code;
  },
});
