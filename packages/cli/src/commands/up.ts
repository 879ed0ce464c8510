import { defineCommand } from '../command.ts';
import { NO_WAIT } from '../started-deployment.ts';
import { type UpResult, up } from '../up/up.ts';

export const command = defineCommand({
  path: ['up'],
  summary: 'Deploy the folder you are in',
  description: [
    'Makes the instance what davit.yaml says, builds the image from the Dockerfile with the local Docker client, pushes it, and follows the deployment until new requests go to it. A project, an environment and an app that are not there yet are created. With an «image» in davit.yaml nothing is built, and that one is deployed.',
    'It ends with 0 only when the new release is live, or was live already. Ctrl-C leaves a deployment that has begun to itself. Run again after whatever went wrong: what is done is not done twice.',
  ].join('\n\n'),
  options: {
    file: { short: 'f', value: 'file', description: 'the davit.yaml; absent: the one of this folder, or above it' },
    tag: { value: 'tag', description: 'the tag to give what is built; absent: the commit, or the image’s id' },
    registry: { value: 'host', description: 'the registry to push to; absent: the instance’s own' },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit up', does: 'builds, pushes, deploys and follows' },
    { line: 'davit up --tag 1.4.0', does: 'the same under a tag of your own' },
    { line: 'davit up -f staging.yaml', does: 'the same for another environment' },
  ],
  async run(ctx) {
    const result = await up(ctx, ctx.options);
    ctx.out.done(result, sentence(result, ctx.options.noWait), result.deployment?.id ?? '');
  },
});

function sentence({ app, deployment, deployed, url }: UpResult, isLeft: boolean): string {
  const at = url === null ? '' : ` at ${url}`;
  const tag = deployment?.tag ?? 'nothing';
  if (!deployed) return `${app} runs ${tag}${at} already, with these settings: there is nothing to do.`;
  if (!isLeft) return `${app} runs ${tag}${at}`;
  return `${app} is being deployed: «davit deployment follow ${app} ${deployment?.id ?? ''}».`;
}
