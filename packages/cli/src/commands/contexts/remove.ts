import { forgetContext } from '../../credentials/forget.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['context', 'remove'],
  summary: 'Remove a context from this computer',
  description: 'The API key of the context stays valid. To revoke the key too, use `davit logout`.',
  arguments: { name: { description: 'name of the context (see `davit context list`)', completes: 'context' } },
  examples: [{ line: 'davit context remove staging', does: 'Remove the context `staging`' }],
  async run({ out, env, args: { name } }) {
    await forgetContext(env.configDir, name);
    out.done(null, `Removed context ${name}.`);
  },
});
