import { defineCommand } from '../../declaration/command.ts';
import { EXIT } from '../../errors/exit.ts';
import { templateIo } from './io.ts';

export const command = defineCommand({
  path: ['template', 'import'],
  summary: 'Convert a Compose file to a template',
  description:
    'Services become apps; those of well-known databases become databases, and what pointed to them refers to them. Passwords that are written in the file become secrets that are generated. What became of each key is told on stderr: + is carried, ~ is different now, - is not there, with the reason.',
  arguments: {
    file: { description: 'the Compose file, an address, or - for stdin', completes: 'file' },
  },
  options: {
    output: { short: 'o', value: 'file', description: 'where the template goes; absent: to stdout' },
    force: { description: 'overwrite that file' },
    project: { value: 'name', description: 'the project that it suggests; absent: the name in the file' },
    repo: { value: 'address', description: 'the repository of what is built from this folder' },
  },
  examples: [
    { line: 'davit template import docker-compose.yml -o template.yaml', does: 'then look through it' },
    { line: 'davit template import compose.yaml | davit template check -', does: 'make one, and check it' },
  ],
  async run(ctx) {
    const { args, options, out } = ctx;
    const { importedJson, importFile, importLines } = await import('@davit/template/command');
    const io = templateIo(ctx);
    const { output = null, project = null, repo = null, force } = options;
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
