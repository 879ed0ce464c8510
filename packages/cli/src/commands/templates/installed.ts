import { defineCommand } from '../../declaration/command.ts';
import { installFields, installList } from '../../views/template.ts';
import { installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'installed'],
  summary: 'List installed templates, or show one installation',
  arguments: {
    install: {
      description: 'ID of the installation; without an ID, the command lists all installations',
      optional: true,
    },
  },
  examples: [
    { line: 'davit template installed', does: 'List all installations with available updates' },
    { line: 'davit template installed 3', does: 'Show installation 3' },
  ],
  async run({ client, out, args }) {
    const api = await client();
    if (args.install === undefined) return out.list(await api.listTemplateInstalls(), installList);
    const install = await api.getTemplateInstall({ params: installOf(args.install) });
    out.record(install, installFields(install), install.id);
  },
});
