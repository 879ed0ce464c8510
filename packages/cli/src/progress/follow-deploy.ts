/**
 * Follows a deployment to its end, as every command does that starts one: its steps as they happen, then what became of
 * it. The deployment belongs to the instance: leaving ends nothing, and is told so.
 */
import type { Client, Deployment } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { duration } from '../output/duration.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';
import { AWAY } from './away.ts';
import { LiveView } from './live-view.ts';
import { patiently } from './patiently.ts';
import { ShownSteps } from './shown-steps.ts';
import { stepsOf, withEvent } from './steps.ts';

/** Of what the failed release wrote. */
const SHOWN_LOG_LINES = 20;

/**
 * @returns the record of a deployment that succeeded: the traffic has moved
 * @throws CliError deploy_failed, with its own reason; interrupted when the person leaves
 */
export async function followDeploy(ctx: Context, deployment: Deployment): Promise<Deployment> {
  using view = await LiveView.open(ctx);
  try {
    const ended = await toItsEnd(ctx, view, deployment);
    if (ended.status === 'succeeded') {
      view.line(succeeded(view, ended));
      return ended;
    }
    throw failed(ctx, ended);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    throw detached(deployment);
  }
}

/** What was asked for goes on without who asked: how to get back to it. */
function detached({ id, app }: Deployment): CliError {
  return new CliError(
    'interrupted',
    `You left, and deployment ${id} goes on. Follow it: davit deployment follow ${app} ${id}. End it: davit deployment cancel ${app} ${id}`,
  );
}

async function toItsEnd(ctx: Context, view: LiveView, deployment: Deployment): Promise<Deployment> {
  const client = await ctx.client();
  const params = paramsOf(deployment);
  view.line(`Deployment ${deployment.id} of ${safeLine(deployment.app)}, ${safeLine(deployment.tag)}`);
  const shown = new ShownSteps(view);
  const around = { signal: ctx.signal, onAway: () => view.line(AWAY) };
  for (;;) {
    for await (const { event, data } of events(client, params, shown.steps.position, around)) {
      if (event === 'deployment' && 'phase' in data) shown.show(withEvent(shown.steps, data));
      if (event === 'reset' && 'reason' in data && data.reason === 'position_gone') {
        const record = await read(client, params, ctx.signal);
        shown.show(stepsOf(record, shown.steps.position));
      }
    }
    const record = await read(client, params, ctx.signal);
    if (record.status !== 'pending' && record.status !== 'running') {
      // The record is the whole truth, whatever of it was told on the way.
      shown.show(stepsOf(record, shown.steps.position));
      shown.end();
      return record;
    }
  }
}

interface DeploymentParams {
  project: string;
  environment: string;
  app: string;
  deployment: string;
}

function paramsOf({ app, id }: Deployment): DeploymentParams {
  const [project = '', environment = '', name = ''] = app.split('/');
  return { project, environment, app: name, deployment: String(id) };
}

/** The client itself goes on after a connection that breaks; one that does not come about at first is asked for again. */
async function* events(
  client: Client,
  params: DeploymentParams,
  position: number | null,
  around: { signal: AbortSignal; onAway: () => void },
) {
  const query = position === null ? {} : { after: String(position) };
  const open = () => client.live.followDeployment({ params, query, ...around });
  const stream = await patiently(async () => {
    const opened = open();
    return { first: await opened.next(), rest: opened };
  }, around.signal);
  if (stream.first.done) return;
  yield stream.first.value;
  yield* stream.rest;
}

function read(client: Client, params: DeploymentParams, signal: AbortSignal): Promise<Deployment> {
  return patiently(() => client.getDeployment({ params, signal }), signal);
}

function succeeded({ paint }: LiveView, { tag, app, duration_ms }: Deployment): string {
  const took = duration_ms === null ? '' : ` in ${duration(duration_ms)}`;
  return `${paint('✓', 'green')} ${safeLine(tag)} of ${safeLine(app)} is live${took}.`;
}

/** Why it did not succeed; what it wrote last is shown before. */
function failed({ out }: Context, { id, app, status, error, log = [], superseded_by }: Deployment): CliError {
  if (!out.isJson && log.length > 0) {
    out.explain('What it wrote last:');
    for (const line of log.slice(-SHOWN_LOG_LINES)) out.explain(`  │ ${safeLogLine(line, false)}`);
  }
  const why = error === null ? '' : `: ${error}`;
  const newer = superseded_by === null ? '' : ` Deployment ${superseded_by} took its place.`;
  return new CliError('deploy_failed', `Deployment ${id} of ${app} ${status}${why}${newer}`);
}
