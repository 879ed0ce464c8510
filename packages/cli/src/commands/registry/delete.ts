import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['registry', 'delete'],
  summary: 'Delete the repository of a deleted app',
  description: 'Permanently deletes the repository with all its releases. Required role: admin.',
  arguments: { app: { ...APP_FIRST, description: 'name of the repository, as project/environment/app' } },
  examples: [{ line: 'davit registry delete shop/production/old', does: 'Delete a repository after confirmation' }],
  async run(context) {
    const { client, out, ask: prompter, globals } = context;
    const params = await appOf(context.args.app, context);
    const name = referenceOf(params);
    await confirm(
      { what: `This deletes the repository ${name} with all its releases`, name },
      { ask: prompter, yes: globals.yes },
    );
    await (await client()).deleteRepository({ params, query: { confirm: name } });
    out.done(null, `Deleted repository ${name}.`);
  },
});
