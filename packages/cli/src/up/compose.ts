/**
 * Implements `davit up -f compose.yaml`. The services become apps and databases. Later calls update these resources
 * without downtime.
 */
import { DavitError, type InstallPlan, type Task, type TemplateImport, type TemplateInstall } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { followTask } from '../progress/follow-task.ts';
import { confirm } from '../prompts/confirm.ts';
import type { ComposeFile } from './compose-file.ts';
import { installOfFile } from './compose-install.ts';
import { confirmRemovals } from './confirm-removals.ts';
import { fileIdOf, newFileId, storeFileId } from './file-id.ts';
import { adoptionOf, keptDataOf } from './kept-data.ts';

interface ComposeOptions {
  project: string | undefined;
  environment: string | undefined;
  inputs: Record<string, string>;
  /** ID of the installation (`--install`) that the Compose file must update. */
  install: string | undefined;
  /** Names of the apps whose removal the user confirmed with `--remove`. */
  remove: readonly string[];
  /** Whether a first installation reuses the databases and volumes of an earlier installation (`--adopt-data`). */
  adoptData: boolean;
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
 * @throws CliError with exit `usage` if the file is invalid, or if the removal of an app is not confirmed
 * @throws CliError with exit `conflict` if another Compose file was installed in the environment, if data of an earlier
 * installation exists, or if an update would remove all apps
 * @throws CliError with exit `task_failed` if the installation or update fails
 */
export async function upCompose(ctx: Context, compose: ComposeFile, options: ComposeOptions): Promise<ComposeResult> {
  try {
    return await upFile(ctx, compose, options);
  } catch (error) {
    // The template was created from the file of the user. Therefore, a fault of the template is a fault of the file.
    if (!(error instanceof DavitError) || error.code !== 'template_invalid') throw error;
    throw unusable(compose, error.message, error);
  }
}

async function upFile(ctx: Context, compose: ComposeFile, options: ComposeOptions): Promise<ComposeResult> {
  const client = await ctx.client();
  const project = options.project === undefined ? {} : { project: options.project };
  const files = Object.keys(compose.files).length === 0 ? {} : { files: { ...compose.files } };
  const body = { compose: compose.text, folder: compose.folder, ...project, ...files };
  const made = await client.importTemplate({ body });
  reportImport(ctx, compose, made);
  const task = await begin(ctx, compose, made.template, options);
  const isLeft = options.noWait || task === null;
  return { notes: made.notes, task: isLeft ? task : await followTask(ctx, task) };
}

/**
 * Prints the keys of the Compose file that were converted, changed or omitted.
 * @throws CliError with exit `usage` if an instance cannot install the result
 */
function reportImport({ out }: Context, compose: ComposeFile, { notes, valid, problems }: TemplateImport): void {
  for (const { kind, service, key, message } of notes)
    out.note(
      `${MARKS[kind]} ${service === null ? '' : `${service}: `}${key}: ${message}`,
      kind === 'carried' ? 'dim' : undefined,
    );
  if (valid) return;
  const why = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw unusable(compose, why.join(' '));
}

function unusable({ path }: ComposeFile, why: string, refusal: DavitError | null = null): CliError {
  return new CliError('usage', `${path} cannot be used: ${why} Nothing was changed.`, { refusal });
}

async function begin(ctx: Context, compose: ComposeFile, file: string, options: ComposeOptions): Promise<Task | null> {
  const client = await ctx.client();
  const { inputs, project, environment } = options;
  const target = { ...(project !== undefined && { project }), ...(environment !== undefined && { environment }) };
  const planOf = async (more: object = {}) => {
    const body = { source: { file }, inputs, ...target, ...more };
    const answer = await client.installTemplateFile({ query: { dry_run: 'true' }, body });
    if ('resources' in answer) return answer;
    throw unexpectedAnswer();
  };
  const planned = await planOf();
  const known = await fileIdOf(ctx.world.cwd, compose.path);
  const identity = { fileId: known, install: options.install, project };
  const installs = await client.listTemplateInstalls();
  const found = installOfFile(installs, planned, identity);
  const id = known ?? found?.origin.file_id ?? newFileId();
  if (found !== null) return update(ctx, found, { compose, known, id, file, options });
  const adoption = adoptionOf(await keptDataOf(client, planned, installs), options.adoptData);
  const preview = adoption.adopt === undefined ? planned : await planOf(adoption);
  await beforeChange(ctx, compose, { id, preview });
  const body = { source: { file, file_id: id }, inputs, ...target, ...adoption };
  return taskOf(await client.installTemplateFile({ body }));
}

/**
 * Call this function directly before the first change. Stores the ID of the Compose file, unless the instance will
 * refuse the change. If the user has pressed Ctrl-C, throws an error instead.
 */
async function beforeChange(
  { signal, world }: Context,
  { path }: ComposeFile,
  { id, preview }: { id: string; preview: Pick<InstallPlan, 'fits' | 'problems'> },
): Promise<void> {
  if (signal.aborted) throw new CliError('interrupted', 'Canceled. Nothing was changed.');
  if (preview.fits && preview.problems.length === 0) await storeFileId(world.cwd, path, id);
}

interface Updating {
  compose: ComposeFile;
  /** ID from `.davit/compose.json`. `null` if the Compose file has no ID yet. */
  known: string | null;
  /** ID of the Compose file. The instance stores this ID with the installation. */
  id: string;
  /** Content of the template. */
  file: string;
  options: ComposeOptions;
}

/** Updates an installation. Returns `null` if the update changes nothing. */
async function update(
  ctx: Context,
  install: TemplateInstall,
  { compose, known, id, file, options }: Updating,
): Promise<Task | null> {
  const client = await ctx.client();
  const params = { install: String(install.id) };
  const body = { file, file_id: id, inputs: options.inputs };
  try {
    await confirmTakeover(ctx, install, known);
    const preview = await client.updateTemplateInstall({ params, query: { dry_run: 'true' }, body });
    if (!('changes' in preview)) throw unexpectedAnswer();
    const removal = { install, confirmed: options.remove, source: 'Compose file' };
    const remove = await confirmRemovals(ctx, preview, removal);
    await beforeChange(ctx, compose, { id, preview });
    return taskOf(await client.updateTemplateInstall({ params, body: { ...body, remove } }));
  } catch (error) {
    if (error instanceof DavitError && error.code === 'already_installed') return null;
    throw error;
  }
}

/** Asks for a confirmation if the installation from `--install` was created from another Compose file. */
async function confirmTakeover(
  { ask: prompter, globals }: Context,
  { id, origin, project, environment, by }: TemplateInstall,
  known: string | null,
): Promise<void> {
  if (origin.file_id === null || origin.file_id === known) return;
  const name = `${project}/${environment}`;
  const what = `This replaces the file of installation ${id} in ${name}, which ${by} installed from a Compose file with another ID`;
  await confirm({ what, name }, { ask: prompter, yes: globals.yes });
}

function taskOf(answer: Task | object): Task {
  if ('steps' in answer) return answer;
  throw unexpectedAnswer();
}

function unexpectedAnswer(): CliError {
  return new CliError(
    'failed',
    'The response of the instance is neither a plan nor a task. Check that `davit` and the instance have the same version.',
  );
}
