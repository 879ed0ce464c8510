import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { createdIn } from '../../client/in-environment.ts';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['environment', 'create'],
  summary: 'Create an environment',
  arguments: { environment: ENVIRONMENT },
  examples: [
    { line: 'davit environment create shop/staging', does: 'Create the environment `staging` in the project `shop`' },
  ],
  async run({ client: connect, out, args }) {
    const { project, environment } = environmentOf(args.environment);
    const client = await connect();
    const made = await createdIn(client, { project, environment: null }, () =>
      client.createEnvironment({ params: { project }, body: { slug: environment } }),
    );
    const name = `${made.project}/${made.slug}`;
    out.done(made, `Created environment ${name}.`, name);
  },
});
