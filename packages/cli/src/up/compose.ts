/**
 * `davit up -f compose.yaml`: the services of a Compose file as apps and databases of an environment, installed the first
 * time and updated from then on, each deployed without a lost request.
 */
import { type Client, DavitError, type Task, type TemplateImport, type TemplateInstall } from '@davit/api';
import type { Context } from '../context.ts';
import { CliError } from '../exit.ts';
import { followTask } from '../progress/follow-task.ts';

export interface ComposeOptions {
  project: string | undefined;
  environment: string | undefined;
  inputs: Record<string, string>;
  noWait: boolean;
}

export interface ComposeResult {
  notes: TemplateImport['notes'];
  /** Null: it is as the file says already. */
  task: Task | null;
}

const MARKS = { carried: '+', changed: '~', 'left-out': '-' } as const;

/** @throws CliError conflict for a file that cannot be carried, task_failed */
export async function upCompose(ctx: Context, text: string, options: ComposeOptions): Promise<ComposeResult> {
  const client = await ctx.client();
  const project = options.project === undefined ? {} : { project: options.project };
  const made = await client.importTemplate({ body: { compose: text, ...project } });
  tell(ctx, made);
  const task = await begin(client, made.template, options);
  const isLeft = options.noWait || task === null;
  return { notes: made.notes, task: isLeft ? task : await followTask(ctx, task) };
}

/** What became of each key, and what keeps it from being installed. */
function tell({ out }: Context, { notes, valid, problems }: TemplateImport): void {
  for (const { kind, service, key, message } of notes)
    out.note(
      `${MARKS[kind]} ${service === null ? '' : `${service}: `}${key}: ${message}`,
      kind === 'carried' ? 'dim' : undefined,
    );
  if (valid) return;
  const why = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  throw new CliError('conflict', `The file cannot be carried as it is: ${why.join(' ')}`);
}

async function begin(client: Client, file: string, options: ComposeOptions): Promise<Task | null> {
  const { inputs, project, environment } = options;
  const place = { ...(project !== undefined && { project }), ...(environment !== undefined && { environment }) };
  const planned = await client.installTemplateFile({
    query: { dry_run: 'true' },
    body: { source: { file }, inputs, ...place },
  });
  if (!('resources' in planned)) throw new CliError('failed', 'The instance did not answer a plan, and did something.');
  const there = (await client.listTemplateInstalls()).find((one) => isOf(one, planned));
  if (there === undefined)
    return taskOf(await client.installTemplateFile({ body: { source: { file }, inputs, ...place } }));
  try {
    return await client.updateTemplateInstall({ params: { install: String(there.id) }, body: { file, inputs } });
  } catch (error) {
    if (error instanceof DavitError && error.status === 409 && error.message.includes('is installed already'))
      return null;
    throw error;
  }
}

/** One that was made from a file in the same environment. */
function isOf(install: TemplateInstall, place: { project: string; environment: string }): boolean {
  const { origin, status, project, environment } = install;
  return (
    origin.kind === 'file' && status === 'installed' && project === place.project && environment === place.environment
  );
}

function taskOf(answer: Task | object): Task {
  if ('steps' in answer) return answer;
  throw new CliError('failed', 'The instance answered a plan, and did nothing.');
}
