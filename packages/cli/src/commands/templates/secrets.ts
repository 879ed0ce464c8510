import { defineCommand } from '../../declaration/command.ts';
import { INSTALL, installOf } from './arguments.ts';

export const command = defineCommand({
  path: ['template', 'secrets'],
  summary: 'Show the secrets of an installation',
  arguments: { install: INSTALL },
  examples: [{ line: 'davit template secrets 3', does: 'Show the secrets of installation 3' }],
  async run({ client, out, args }) {
    const answer = await (await client()).getTemplateInstallSecrets({ params: installOf(args.install) });
    out.record(answer, Object.entries(answer.secrets), args.install);
  },
});
