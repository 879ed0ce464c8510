import { defineCommand } from '../../declaration/command.ts';
import { TEMPLATE, templateOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'manifest'],
  summary: 'Show the complete manifest of a template release, as JSON',
  arguments: { template: TEMPLATE },
  options: { release: { value: 'tag', description: 'template release (default: the release in the catalog)' } },
  examples: [
    {
      line: 'davit template manifest acme/wiki --release v1.2.0',
      does: 'Show a manifest, and whether the template is compatible with the instance',
    },
  ],
  async run({ client, out, args, options }) {
    const query = options.release === undefined ? {} : { release: options.release };
    out.json(await (await client()).getTemplateManifest({ params: templateOf(args.template), query }));
  },
});
