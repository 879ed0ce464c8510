import { basename } from 'node:path';
import { FILE_NAME } from '../davit-yaml/find.ts';
import { defineCommand } from '../declaration/command.ts';
import { startFile } from '../init/start-file.ts';
import { whatIsThere } from '../init/what-is-there.ts';
import { writeFresh, writeSchema } from '../init/write-fresh.ts';

export const command = defineCommand({
  path: ['init'],
  summary: 'Write a davit.yaml for the current folder',
  description:
    'Reads the port from the Dockerfile. At a terminal, the command prompts for values that you do not specify as options. It also writes .davit/schema.json, which editors use for validation and autocompletion in davit.yaml. Without --force, the command does not overwrite an existing davit.yaml.',
  options: {
    app: { value: 'app', description: 'app, as project/environment/app (default: named after the folder)' },
    port: { value: 'port', description: 'port that the app listens on ("none": worker without a port)' },
    image: { value: 'image', description: 'image to deploy instead of a build from the Dockerfile' },
    health: { value: 'path', description: 'path of the health check, which must answer with a 2xx status' },
    file: { short: 'f', value: 'file', description: 'path of the file to write (default: davit.yaml)' },
    force: { description: 'overwrite an existing file' },
  },
  examples: [
    { line: 'davit init', does: 'Create davit.yaml and enter missing values at the prompt' },
    { line: 'davit init --app shop/production/web --port 3000', does: 'Create davit.yaml without prompts' },
  ],
  async run(ctx) {
    const { options, out, world: runtime } = ctx;
    const there = await whatIsThere(runtime.cwd);
    const start = await startFile(ctx, options, { ...there, folder: basename(runtime.cwd) });
    const name = options.file ?? FILE_NAME;
    await writeFresh(runtime.cwd, name, start.text, options.force);
    const schema = await writeSchema(runtime.cwd, name);
    out.done(
      { file: name, schema, app: start.app },
      `Wrote ${name} for ${start.app}, and ${schema} for editors. Commit both. Check ${name}, then run: davit up`,
      name,
    );
    if (!there.hasDockerfile && options.image === undefined) {
      out.note(
        `No Dockerfile found. Before you run davit up, write a Dockerfile or set an image in ${name}.`,
        'yellow',
      );
    }
  },
});
