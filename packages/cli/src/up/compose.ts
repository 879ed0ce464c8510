/**
 * Implements `davit up -f compose.yaml`. The services become apps and databases. Later calls update them without
 * downtime.
 */
import { DavitError, type Task, type TemplateImport, type TemplateInstall, type TemplateUpdate } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { followTask } from '../progress/follow-task.ts';
import type { ComposeFile } from './compose-file.ts';
import { installOfFile } from './compose-install.ts';
import { confirmRemovals } from './confirm-removals.ts';
import { createFileId, fileIdOf } from './file-id.ts';

interface ComposeOptions {
  project: string | undefined;
  environment: string | undefined;
  inputs: Record<string, string>;
  /** ID of the installation to update with the Compose file (`--install`), if another file was installed with it. */
  install: string | undefined;
  /** Names of the apps whose removal the user confirmed with `--remove`. */
  remove: readonly string[];
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
 * @throws CliError with exit `conflict` if the file cannot be converted, if another Compose file was installed in the
 * environment, or if an update would remove all apps
 * @throws CliError with exit `usage` if the removal of an app is not confirmed
 * @throws CliError with exit `task_failed` if the installation or update fails
 */
export async function upCompose(ctx: Context, compose: ComposeFile, options: ComposeOptions): Promise<ComposeResult> {
  const client = await ctx.client();
  const project = options.project === undefined ? {} : { project: options.project };
  const made = await client.importTemplate({ body: { compose: compose.text, folder: compose.folder, ...project } });
  reportImport(ctx, made);
  const task = await begin(ctx, compose, made.template, options);
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

async function begin(ctx: Context, compose: ComposeFile, file: string, options: ComposeOptions): Promise<Task | null> {
  const client = await ctx.client();
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
  const known = await fileIdOf(ctx.world.cwd, compose.path);
  const found = installOfFile(await client.listTemplateInstalls(), planned, {
    fileId: known,
    install: options.install,
  });
  const storedId = known ?? (await createFileId(ctx.world.cwd, compose.path));
  if (found === null)
    return taskOf(
      await client.installTemplateFile({ body: { source: { file, file_id: storedId }, inputs, ...target } }),
    );
  return update(ctx, found, { file, file_id: storedId, inputs }, options.remove);
}

/** Updates an installation. Returns `null` if nothing changes. */
async function update(
  ctx: Context,
  install: TemplateInstall,
  body: Pick<TemplateUpdate, 'file' | 'file_id' | 'inputs'>,
  confirmed: readonly string[],
): Promise<Task | null> {
  const client = await ctx.client();
  const params = { install: String(install.id) };
  try {
    const preview = await client.updateTemplateInstall({ params, query: { dry_run: 'true' }, body });
    if ('changes' in preview) await confirmRemovals(ctx, preview, { install, confirmed });
    return taskOf(await client.updateTemplateInstall({ params, body }));
  } catch (error) {
    if (error instanceof DavitError && error.code === 'already_installed') return null;
    throw error;
  }
}

function taskOf(answer: Task | object): Task {
  if ('steps' in answer) return answer;
  throw new CliError(
    'failed',
    'The instance returned a plan instead of starting the installation. Check that `davit` and the instance have the same version.',
  );
}
