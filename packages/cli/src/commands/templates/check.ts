import { defineCommand } from '../../declaration/command.ts';
import { EXIT } from '../../errors/exit.ts';
import { VERSION } from '../../version.ts';
import { templateIo } from './io.ts';

export const command = defineCommand({
  path: ['template', 'check'],
  summary: 'Check a template.yaml',
  description:
    'Checks as the catalog does, without an instance: each problem with its line, what it means and what to do. A folder stands for the template in it, with README.md and icon.png where it looks like a repository, or for every template below it; an address for a file, or for a repository or release on GitHub; - for stdin. Ends with 1 when there are errors.',
  arguments: {
    target: { description: 'a file, a folder, an address or -; absent: this folder', optional: true, variadic: true },
  },
  options: {
    sarif: { description: 'print SARIF 2.1.0, which code hosts show in the margin of the file' },
    strict: { description: 'end with 1 when there are warnings, too' },
  },
  examples: [
    { line: 'davit template check', does: 'the template of this folder' },
    { line: 'davit template check --sarif . > template.sarif', does: 'for a code host' },
    { line: 'davit template check https://github.com/acme/hello-template', does: 'that of a repository' },
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
