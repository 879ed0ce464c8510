import { resolve } from 'node:path';
import { demandNewFile, FORCE } from '../../arguments/new-file.ts';
import { defineCommand } from '../../declaration/command.ts';
import { EXIT } from '../../errors/exit.ts';
import { templateIo } from './io.ts';

export const command = defineCommand({
  path: ['template', 'import'],
  summary: 'Convert a Compose file to a template',
  description:
    'Converts services to apps. A service with a known database image becomes a database. In the variables of the apps, the command replaces addresses of databases with references to the databases, and passwords with generated secrets. A report on stderr shows for each key of the Compose file whether it is supported (+), changed (~) or not supported (-).',
  arguments: {
    file: { description: 'path or URL of the Compose file, or "-" for stdin', completes: 'file' },
  },
  options: {
    output: { short: 'o', value: 'file', description: 'path of the template to write (default: stdout)' },
    force: FORCE,
    project: {
      value: 'name',
      description: 'project name that the template suggests (default: the name in the Compose file)',
    },
    repo: {
      value: 'address',
      description: 'URL of the Git repository with the source code, if the Compose file builds images',
    },
  },
  examples: [
    { line: 'davit template import docker-compose.yml -o template.yaml', does: 'Convert a Compose file to a template' },
    { line: 'davit template import compose.yaml | davit template check -', does: 'Convert and check a Compose file' },
  ],
  async run(ctx) {
    const { args, options, out } = ctx;
    const { importedJson, importFile, importLines } = await import('@davit/template/command');
    const io = templateIo(ctx);
    const { output = null, project = null, repo = null, force } = options;
    if (output !== null) await demandNewFile(resolve(ctx.world.cwd, output), { force });
    const imported = await io.reading(() => importFile({ file: args.file, output, project, repo, force }, io));
    if (out.isJson) out.json(importedJson(imported));
    else {
      if (output === null) out.text(imported.template);
      else if (out.isQuiet) out.line(output);
      const plain = (text: string) => text;
      for (const line of importLines(imported, { output, paint: plain, width: out.width })) out.note(line);
    }
    return imported.manifest === null ? EXIT.failed.code : EXIT.ok.code;
  },
});
