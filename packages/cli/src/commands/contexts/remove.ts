import { forgetContext } from '../../credentials/forget.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['context', 'remove'],
  summary: 'Remove a context from this computer',
  description: 'Its key goes on working: «davit logout» revokes it too.',
  arguments: { name: { description: 'as the list shows it', completes: 'context' } },
  examples: [{ line: 'davit context remove staging', does: 'on this machine only' }],
  async run({ out, env, args: { name } }) {
    await forgetContext(env.configDir, name);
    out.done(null, `Context ${name} is forgotten here.`);
  },
});
