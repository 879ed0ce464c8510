import { answersOf, INPUT, INPUT_FILE } from '../arguments/template-inputs.ts';
import { defineCommand } from '../declaration/command.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { installedAddresses } from '../progress/installed-addresses.ts';
import { NO_WAIT } from '../progress/started-deployment.ts';
import { composeText } from '../up/compose-file.ts';
import { type UpResult, up } from '../up/up.ts';

export const command = defineCommand({
  path: ['up'],
  summary: 'Build and deploy the current folder',
  description: [
    'Makes the instance what davit.yaml says, builds the image from the Dockerfile with the local Docker client, pushes it, and follows the deployment until new requests go to it. A project, an environment and an app that are not there yet are created. With an «image» in davit.yaml nothing is built, and that one is deployed.',
    'With «-f compose.yaml» the services of a Compose file become apps and databases of an environment: installed the first time, updated from then on. What became of each key is told on stderr: + is carried, ~ is different now, - is not there. Nothing is built then: services need images.',
    'It ends with 0 only when the new release is live, or was live already. Ctrl-C leaves a deployment that has begun to itself. Run again after whatever went wrong: what is done is not done twice.',
  ].join('\n\n'),
  options: {
    file: {
      short: 'f',
      value: 'file',
      description: 'the davit.yaml, or a Compose file; absent: the davit.yaml of this folder, or above it',
    },
    tag: { value: 'tag', description: 'the tag to give what is built; absent: the commit, or the image’s id' },
    registry: { value: 'host', description: 'the registry to push to; absent: the instance’s own' },
    project: { short: 'p', value: 'project', description: 'of a Compose file: absent, the name in it' },
    environment: { short: 'e', value: 'environment', description: 'of a Compose file: absent, production' },
    input: {
      ...INPUT,
      description:
        'of a Compose file: an answer to what its template asks, such as a domain; a key alone: asked for, or read from stdin',
    },
    inputFile: INPUT_FILE,
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit up', does: 'builds, pushes, deploys and follows' },
    { line: 'davit up --tag 1.4.0', does: 'the same under a tag of your own' },
    { line: 'davit up -f staging.yaml', does: 'the same for another environment' },
    { line: 'davit up -f compose.yaml -i webDomain=shop.example.com', does: 'all services of a Compose file' },
  ],
  async run(ctx) {
    const text = await composeText(ctx.world.cwd, ctx.options.file);
    if (text !== null) return runCompose(ctx, text);
    for (const name of ['project', 'environment'] as const)
      if (ctx.options[name] !== undefined) throw new CliError('usage', `--${name} is for a Compose file.`);
    const result = await up(ctx, ctx.options);
    ctx.out.done(result, sentence(result, ctx.options.noWait), result.deployment?.id ?? '');
  },
});

interface ComposeRun extends Context {
  options: {
    project: string | undefined;
    environment: string | undefined;
    input: string[];
    inputFile: string[];
    noWait: boolean;
    tag: string | undefined;
    registry: string | undefined;
  };
}

async function runCompose(ctx: ComposeRun, text: string): Promise<void> {
  const { project, environment, noWait, tag, registry } = ctx.options;
  if (tag !== undefined || registry !== undefined)
    throw new CliError('usage', '--tag and --registry are for what is built: a Compose file names images.');
  const { upCompose } = await import('../up/compose.ts');
  const inputs = await answersOf(ctx.options, ctx);
  const result = await upCompose(ctx, text, { project, environment, inputs, noWait });
  const { task } = result;
  if (task === null) ctx.out.done(result, 'All of it is as the file says: there is nothing to do.');
  else if (noWait) ctx.out.done(result, `Task ${task.id} goes on: «davit task follow ${task.id}».`, task.id);
  else {
    const addresses = await installedAddresses(ctx, task);
    ctx.out.done(result, `All services run: «davit app list» shows them.${addresses}`, task.id);
  }
}

function sentence({ app, deployment, deployed, url }: UpResult, isLeft: boolean): string {
  const at = url === null ? '' : ` at ${url}`;
  const tag = deployment?.tag ?? 'nothing';
  if (!deployed) return `${app} runs ${tag}${at} already, with these settings: there is nothing to do.`;
  if (!isLeft) return `${app} runs ${tag}${at}`;
  return `${app} is being deployed: «davit deployment follow ${app} ${deployment?.id ?? ''}».`;
}
