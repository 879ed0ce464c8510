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
    'Looks at the Dockerfile for the port, and asks at a terminal for what it cannot know; each answer has an option, too. Beside it goes .davit/schema.json, by which editors complete it. A file that is there already is not overwritten.',
  options: {
    app: { value: 'app', description: 'the app, as project/environment/app; absent: named like the folder' },
    port: { value: 'port', description: 'the port that it listens on, or none for a worker' },
    image: { value: 'image', description: 'an image that is built elsewhere, instead of building here' },
    health: { value: 'path', description: 'the path that answers 2xx when a release is ready' },
    file: { short: 'f', value: 'file', description: 'the file to write; absent: davit.yaml' },
    force: { description: 'overwrite the file' },
  },
  examples: [
    { line: 'davit init', does: 'asks for what it cannot see' },
    { line: 'davit init --app shop/production/web --port 3000', does: 'asks nothing' },
  ],
  async run(ctx) {
    const { options, out, world } = ctx;
    const there = await whatIsThere(world.cwd);
    const start = await startFile(ctx, options, { ...there, folder: basename(world.cwd) });
    const name = options.file ?? FILE_NAME;
    await writeFresh(world.cwd, name, start.text, options.force);
    await writeSchema(world.cwd, name);
    out.done(
      { file: name, app: start.app },
      `Wrote ${name} for ${start.app}: look at it, then «davit plan» and «davit up».`,
      name,
    );
    if (!there.hasDockerfile && options.image === undefined) {
      out.note(`There is no Dockerfile here: write one before «davit up», or name an image in ${name}.`, 'yellow');
    }
  },
});
