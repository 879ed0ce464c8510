import { type App, DEPLOYMENT_STEPS, type Deployment, deploymentStepWords, isTerminal } from '@davit/api';

/**
 * State of a deployment step. `cut` means that the deployment ended before the step was complete. `ahead` means that
 * the step has not started.
 */
export type StepState = 'done' | 'failed' | 'running' | 'cut' | 'ahead';

export interface TimelineRow {
  name: string;
  says: string;
  state: StepState;
  durationMs: number | null;
  error: string | null;
  /** Start of the step's bar, in percent of the total deployment time. `length` is also in percent. */
  from: number;
  length: number;
}

/** Minimum length of a step's bar in percent, so that short steps are visible. */
const LEAST = 0.8;

/**
 * Returns the names of all steps of an app's next deployment, in order. The page shows these names before the
 * deployment steps start.
 */
export function stepsAhead(app: Pick<App, 'release_command' | 'volumes' | 'tcp_ports' | 'live_deployment'>): string[] {
  const exclusive = app.volumes.length > 0 || app.tcp_ports.length > 0;
  const left = [
    ...(app.release_command === null ? ['release'] : []),
    ...(exclusive && app.live_deployment !== null ? [] : ['stop-old']),
  ];
  return DEPLOYMENT_STEPS.filter((name) => !left.includes(name));
}

/** Fields of a deployment or task that are needed to show its steps as a timeline. */
export type Recorded = Pick<
  Deployment,
  'status' | 'steps' | 'created_at' | 'started_at' | 'finished_at' | 'duration_ms'
>;

/**
 * Returns the newest timestamp in a deployment or task, in milliseconds since the epoch. The server's current time is
 * not earlier.
 */
export function newestMoment({ steps, created_at, started_at, finished_at, duration_ms }: Recorded): number {
  const times = [created_at, started_at, finished_at, ...steps.flatMap((step) => [step.started_at, step.finished_at])];
  const timestamps = times.filter((time) => time !== null).map((time) => Date.parse(time));
  return Math.max(...timestamps, started_at === null ? 0 : Date.parse(started_at) + (duration_ms ?? 0));
}

/**
 * Converts the steps of a deployment or task to timeline rows. Steps that have not started come last.
 * @param now server's time in milliseconds since the epoch
 */
export function timelineOf(
  record: Recorded,
  ahead: readonly string[],
  now: number,
  says: (name: string) => string = deploymentStepWords,
): TimelineRow[] {
  const { steps, started_at, finished_at, status } = record;
  const ended = isTerminal(status);
  const begin = Date.parse(started_at ?? steps[0]?.started_at ?? record.created_at);
  // The bar of a running step ends at the current time of the server.
  const end = finished_at === null ? Math.max(now, newestMoment(record)) : Date.parse(finished_at);
  const all = Math.max(end - begin, 1);
  const rows = steps.map((step): TimelineRow => {
    const started = Date.parse(step.started_at);
    const until = step.finished_at === null ? end : Date.parse(step.finished_at);
    const from = Math.min(((started - begin) / all) * 100, 100 - LEAST);
    const length = Math.max(((until - started) / all) * 100, LEAST);
    return {
      name: step.name,
      says: says(step.name),
      state: stateOf(step, ended),
      durationMs: Math.max(until - started, 0),
      error: step.error,
      from,
      length: Math.min(length, 100 - from),
    };
  });
  if (ended) return rows;
  const begun = new Set(steps.map(({ name }) => name));
  const last = Math.max(...[...begun].map((name) => ahead.indexOf(name)), -1);
  const waiting = ahead.slice(last + 1).filter((name) => !begun.has(name));
  return [...rows, ...waiting.map((name) => rowAhead(name, says(name)))];
}

function stateOf({ finished_at, error }: Deployment['steps'][number], ended: boolean): StepState {
  if (error !== null) return 'failed';
  if (finished_at !== null) return 'done';
  return ended ? 'cut' : 'running';
}

function rowAhead(name: string, says: string): TimelineRow {
  return { name, says, state: 'ahead', durationMs: null, error: null, from: 0, length: 0 };
}
