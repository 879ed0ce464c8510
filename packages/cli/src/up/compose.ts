/**
 * Implements `davit up -f compose.yaml`. The services become apps and databases. Later calls update them without
 * downtime.
 */
import {
  DavitError,
  type InstallPlan,
  type InstallResource,
  type Task,
  type TemplateImport,
  type TemplateInstall,
} from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { followTask } from '../progress/follow-task.ts';

interface ComposeOptions {
  project: string | undefined;
  environment: string | undefined;
  inputs: Record<string, string>;
  noWait: boolean;
}

interface ComposeResult {
  notes: TemplateImport['notes'];
  /** Background task that installs or updates the services of the Compose file. `null` if nothing changes. */
  task: Task | null;
}

const MARKS = { carried: '+', changed: '~', 'left-out': '-' } as const;

/**
 * Runs `davit up` for a Compose file.
 * @throws CliError with exit `conflict` if the file cannot be converted
 * @throws CliError with exit `task_failed`
 */
export async function upCompose(ctx: Context, text: string, options: ComposeOptions): Promise<ComposeResult> {
  const client = await ctx.client();
  const project = options.project === undefined ? {} : { project: options.project };
  const made = await client.importTemplate({ body: { compose: text, ...project } });
  reportImport(ctx, made);
  const task = await begin(ctx, made.template, options);
  const isLeft = options.noWait || task === null;
  return { notes: made.notes, task: isLeft ? task : await followTask(ctx, task) };
}

/**
 * Prints which keys of the Compose file were converted, changed or omitted.
 * @throws CliError with exit `conflict` if the file cannot be converted
 */
function reportImport({ out }: Context, { notes, valid, problems }: TemplateImport): void {
  for (const { kind, service, key, message } of notes)
    out.note(
      `${MARKS[kind]} ${service === null ? '' : `${service}: `}${key}: ${message}`,
      kind === 'carried' ? 'dim' : undefined,
    );
  if (valid) return;
  const why = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw new CliError('conflict', `The Compose file cannot be used: ${why.join(' ')}`);
}

async function begin({ client: connect, out }: Context, file: string, options: ComposeOptions): Promise<Task | null> {
  const client = await connect();
  const { inputs, project, environment } = options;
  const target = { ...(project !== undefined && { project }), ...(environment !== undefined && { environment }) };
  const planned = await client.installTemplateFile({
    query: { dry_run: 'true' },
    body: { source: { file }, inputs, ...target },
  });
  if (!('resources' in planned))
    throw new CliError(
      'failed',
      'The instance started the installation instead of returning a plan. Check that `davit` and the instance have the same version.',
    );
  const there = ofSameFile(await client.listTemplateInstalls(), planned);
  if (there === undefined)
    return taskOf(await client.installTemplateFile({ body: { source: { file }, inputs, ...target } }));
  for (const { name } of there.resources.filter((one) => one.kind === 'app' && !has(planned, one)))
    out.note(`- ${name} is no longer in the file. Davit removes the app and keeps its data.`);
  try {
    return taskOf(
      await client.updateTemplateInstall({ params: { install: String(there.id) }, body: { file, inputs } }),
    );
  } catch (error) {
    if (error instanceof DavitError && error.code === 'already_installed') return null;
    throw error;
  }
}

/**
 * Finds the installation with the most resources in common. Without common resources, it comes from another Compose
 * file.
 */
function ofSameFile(installs: readonly TemplateInstall[], planned: InstallPlan): TemplateInstall | undefined {
  const [best] = installs
    .filter(({ origin, status }) => origin.kind === 'file' && status === 'installed')
    .filter(({ project, environment }) => project === planned.project && environment === planned.environment)
    .map((install) => ({ install, common: install.resources.filter((one) => has(planned, one)).length }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common);
  return best?.install;
}

/**
 * Returns whether an installation plan contains a resource with the same key. Projects and environments have no key.
 */
function has({ resources }: InstallPlan, { kind, key }: Pick<InstallResource, 'kind' | 'key'>): boolean {
  return key !== null && resources.some((one) => one.kind === kind && one.key === key);
}

function taskOf(answer: Task | object): Task {
  if ('steps' in answer) return answer;
  throw new CliError(
    'failed',
    'The instance returned a plan instead of starting the installation. Check that `davit` and the instance have the same version.',
  );
}
