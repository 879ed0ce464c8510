import { defineCommand } from '../../declaration/command.ts';
import { installFields, installList } from '../../views/template.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'installed'],
  summary: 'List installations, or show one',
  arguments: { install: { ...INSTALL, optional: true } },
  examples: [
    { line: 'davit template installed', does: 'with the updates that there are' },
    { line: 'davit template installed 3', does: 'what it made' },
  ],
  async run({ client, out, args }) {
    const api = await client();
    if (args.install === undefined) return out.list(await api.listTemplateInstalls(), installList);
    const install = await api.getTemplateInstall({ params: installOf(args.install) });
    out.record(install, installFields(install), install.id);
  },
});
