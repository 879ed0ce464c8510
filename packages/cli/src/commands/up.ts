import { answersOf, INPUT, INPUT_FILE } from '../arguments/template-inputs.ts';
import { defineCommand } from '../declaration/command.ts';
import type { Context } from '../declaration/context.ts';
import { flagName } from '../declaration/flag-name.ts';
import { CliError } from '../errors/exit.ts';
import { installedAddresses } from '../progress/installed-addresses.ts';
import { NO_WAIT } from '../progress/started-deployment.ts';
import { type ComposeFile, composeFile } from '../up/compose-file.ts';
import { type UpResult, up } from '../up/up.ts';

export const command = defineCommand({
  path: ['up'],
  summary: 'Build and deploy the current folder',
  description: [
    'Applies the settings in davit.yaml and builds the image from the Dockerfile with the local Docker client. Then pushes the image and waits until the deployment is finished. Missing projects, environments and apps are created. If davit.yaml specifies an image, the command deploys this image without a build.',
    'With a Compose file (`-f compose.yaml`), the services become apps and databases of an environment. The first run installs them, later runs update them. The command stores an ID of the file in `.davit/compose.json` beside it. Commit this file to Git, so that other clones update the same installation. Davit removes an app that is no longer in the file only after you confirm the removal. Every service needs an image, because the command builds no images for a Compose file. Text files beside the Compose file that its services mount, or that `env_file` names, become files and variables of the apps. A report on stderr shows for each key of the Compose file whether it is supported (+), changed (~) or not supported (-).',
    'The exit code is 0 only if the new release is live. Ctrl-C does not stop a running deployment. After an error, solve the problem, then run the command again: completed steps are skipped.',
  ].join('\n\n'),
  options: {
    file: {
      short: 'f',
      value: 'file',
      description:
        'path of a davit.yaml or Compose file with any name (default: davit.yaml in the current folder or a parent folder)',
    },
    tag: { value: 'tag', description: 'tag of the built image (default: the Git commit or the ID of the image)' },
    registry: { value: 'host', description: 'registry to push to (default: the registry of the instance)' },
    project: {
      short: 'p',
      value: 'project',
      description:
        'name of the project, if you deploy a Compose file (default: `name` in the Compose file, or the name of its folder)',
    },
    environment: {
      short: 'e',
      value: 'environment',
      description: 'name of the environment, if you deploy a Compose file (default: production)',
    },
    input: {
      ...INPUT,
      description:
        'value of an input, if you deploy a Compose file; if you give only the key, the command prompts for the value or reads it from stdin',
    },
    inputFile: INPUT_FILE,
    install: {
      value: 'id',
      description:
        'ID of the installation to update, if it was installed from another Compose file, or if `.davit/compose.json` is missing',
    },
    remove: {
      value: 'app',
      repeatable: true,
      description:
        'confirm that the update removes this app, because the Compose file no longer contains it; without a terminal, also add --yes',
    },
    adoptData: {
      description:
        'use the databases and volumes that an earlier installation of the Compose file left in the environment',
    },
    allowOutsidePaths: {
      description:
        'allow a build context outside the Git repository of davit.yaml, and a Dockerfile outside the build context',
    },
    noWait: NO_WAIT,
  },
  examples: [
    { line: 'davit up', does: 'Build and deploy the app in davit.yaml' },
    { line: 'davit up --tag 1.4.0', does: 'Build and deploy with a custom tag' },
    { line: 'davit up -f staging.yaml', does: 'Use another davit.yaml, for example for staging' },
    { line: 'davit up -f compose.yaml -i webDomain=shop.example.com', does: 'Deploy all services of a Compose file' },
  ],
  async run(ctx) {
    const compose = await composeFile(ctx, ctx.options.file);
    if (compose !== null) return runCompose(ctx, compose);
    const { project, environment, install, remove, adoptData } = ctx.options;
    const given = { project, environment, install, remove: remove[0], adoptData };
    const ofCompose = Object.entries(given).find(([, value]) => value);
    if (ofCompose !== undefined)
      throw new CliError('usage', `--${flagName(ofCompose[0])} needs a Compose file: add -f compose.yaml.`);
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
    install: string | undefined;
    remove: string[];
    adoptData: boolean;
    noWait: boolean;
    tag: string | undefined;
    registry: string | undefined;
    allowOutsidePaths: boolean;
  };
}

async function runCompose(ctx: ComposeRun, compose: ComposeFile): Promise<void> {
  const { project, environment, install, remove, adoptData, noWait, tag, registry, allowOutsidePaths } = ctx.options;
  const ofBuild = Object.entries({ tag, registry, allowOutsidePaths }).find(([, value]) => value);
  if (ofBuild !== undefined)
    throw new CliError(
      'usage',
      `--${flagName(ofBuild[0])} cannot be used with a Compose file, because \`davit up\` then builds no image.`,
    );
  const { upCompose } = await import('../up/compose.ts');
  const inputs = await answersOf(ctx.options, ctx);
  const how = { project, environment, inputs, install, remove, adoptData, noWait };
  const result = await upCompose(ctx, compose, how);
  const { task } = result;
  if (task === null) ctx.out.done(result, 'Everything is up to date: there is nothing to do.');
  else if (noWait)
    ctx.out.done(
      result,
      `Task ${task.id} continues in the background. Follow it: davit task follow ${task.id}`,
      task.id,
    );
  else {
    const addresses = await installedAddresses(ctx, task);
    ctx.out.done(result, `All services are running.${addresses}`, task.id);
  }
}

function sentence({ app, deployment, deployed, url }: UpResult, isLeft: boolean): string {
  const at = url === null ? '' : ` at ${url}`;
  const tag = deployment?.tag ?? 'nothing';
  if (!deployed) return `${app} already runs ${tag}${at} with these settings: there is nothing to do.`;
  if (!isLeft) return `${app} runs ${tag}${at}`;
  return `${app} is being deployed. Follow the deployment: davit deployment follow ${app} ${deployment?.id ?? ''}`;
}
