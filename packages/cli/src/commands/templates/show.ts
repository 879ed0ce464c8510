import { defineCommand } from '../../declaration/command.ts';
import { templateFields } from '../../views/template.ts';
import { TEMPLATE, templateOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'show'],
  summary: 'Show the inputs of a template and the resources that the template creates',
  arguments: { template: TEMPLATE },
  examples: [{ line: 'davit template show acme/wiki', does: 'Show a template' }],
  async run({ client, out, args }) {
    const template = await (await client()).getTemplate({ params: templateOf(args.template) });
    out.record(template, templateFields(template), args.template);
  },
});
