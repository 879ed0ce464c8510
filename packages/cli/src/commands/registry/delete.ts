import { APP_FIRST, appOf, referenceOf } from '../../arguments/app.ts';
import { defineCommand } from '../../declaration/command.ts';
import { confirm } from '../../prompts/confirm.ts';

export const command = defineCommand({
  path: ['registry', 'delete'],
  summary: 'Delete the repository of a deleted app',
  description: 'With all its releases, for ever. Admins only.',
  arguments: { app: { ...APP_FIRST, description: 'its name, project/environment/app' } },
  examples: [{ line: 'davit registry delete shop/production/old', does: 'asks for the name first' }],
  async run(context) {
    const { client, out, ask, globals } = context;
    const params = await appOf(context.args.app, context);
    const name = referenceOf(params);
    await confirm(
      { what: `This deletes the repository ${name} with all its releases`, name },
      { ask, yes: globals.yes },
    );
    await (await client()).deleteRepository({ params, query: { confirm: name } });
    out.done(null, `Repository ${name} is deleted.`);
  },
});
