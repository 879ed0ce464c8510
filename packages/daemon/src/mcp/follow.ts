/** Waits for the end of a deployment or task and sends progress notifications to an MCP client. */
import { type Deployment, type DeploymentEvent, isTaskOpen, isTerminal, type Task, type TaskEvent } from '@davit/api';
import type { LiveEvent } from '../http/bind.ts';
import type { InnerAnswer, Question } from '../http/inner.ts';
import { readable } from './text.ts';

/**
 * Maximum time in milliseconds to wait for a deployment or task. Most MCP clients cancel a tool call after one minute.
 */
export const WAIT_MS = 50_000;
/**
 * Maximum length in characters of an error in a progress notification. The API returns the complete error with the
 * deployment or task.
 */
const MOST_SAID = 1_000;

export interface FollowedCall {
  ask: (question: Question) => Promise<InnerAnswer>;
  /** Signal that aborts when the client disconnects or loses its permissions, or when the daemon stops. */
  signal: AbortSignal;
  /** Sends an MCP progress notification. The field is `undefined` if the client did not request such notifications. */
  progress: ((message: string) => Promise<void>) | undefined;
  waitMs?: number;
}

/**
 * Waits until a deployment has ended, but at most `waitMs` milliseconds. Then returns the current state of the
 * deployment.
 * @throws the reason of the signal
 */
export async function recordAtItsEnd({ app, id, status }: Deployment, following: FollowedCall): Promise<InnerAnswer> {
  const path = `/api/apps/${app}/deployments/${id}`;
  if (!isTerminal(status)) {
    const answer = await following.ask({ operation: 'followDeployment', path: `${path}/events`, query: {} });
    if (answer.error !== undefined) return answer;
    await toItsEnd(answer.reply.events, following);
  }
  return following.ask({ operation: 'getDeployment', path, query: {} });
}

/**
 * Waits until a task has ended, but at most `waitMs` milliseconds. Then returns the current state of the task.
 * @throws the abort reason of the signal
 */
export async function taskAtItsEnd({ id, status }: Task, following: FollowedCall): Promise<InnerAnswer> {
  const read = () => following.ask({ operation: 'getTask', path: `/api/tasks/${id}`, query: {} });
  if (isTaskOpen(status)) {
    const answer = await following.ask({ operation: 'followEvents', path: '/api/events', query: { kinds: 'task' } });
    if (answer.error !== undefined) return answer;
    await taskToItsEnd(id, answer.reply.events, read, following);
  }
  return read();
}

async function taskToItsEnd(
  id: number,
  events: ((signal: AbortSignal) => AsyncIterable<LiveEvent>) | undefined,
  read: () => Promise<InnerAnswer>,
  { signal, progress, waitMs = WAIT_MS }: FollowedCall,
): Promise<void> {
  if (events === undefined) return;
  const iterator = events(AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    // Check first, because the task may have ended before Davit started to read the event stream.
    if (isOver(await read())) return;
    for (let now = await next; !now.done; now = await next) {
      const { event, data } = now.value;
      const message = event === 'task' ? taskSentence(id, data) : null;
      if (message !== null) await progress?.(message);
      if (event === 'task' && data.id === id && !isTaskOpen(data.status)) return;
      next = iterator.next();
    }
  } finally {
    // A pending read of the event stream rejects at the end of the stream. This handler ignores the rejection.
    next.catch(() => undefined);
    await iterator.return?.();
  }
  signal.throwIfAborted();
}

function isOver({ error, reply }: InnerAnswer): boolean {
  return error !== undefined || !isTaskOpen((reply.body as Task).status);
}

/** Returns the progress message for a task event, or `null` for an event of another task. */
function taskSentence(id: number, { id: of, status, step, error }: TaskEvent): string | null {
  if (of !== id) return null;
  if (step !== null) return `Task ${id}: ${step.name} ${step.state}.`;
  return `Task ${id} is ${status}${error === null ? '.' : `: ${readable(error).slice(0, MOST_SAID)}`}`;
}

async function toItsEnd(
  events: ((signal: AbortSignal) => AsyncIterable<LiveEvent>) | undefined,
  { signal, progress, waitMs = WAIT_MS }: FollowedCall,
): Promise<void> {
  if (events === undefined) return;
  const enough = AbortSignal.timeout(waitMs);
  let last = '';
  for await (const { event, data } of events(AbortSignal.any([signal, enough]))) {
    const message = event === 'deployment' ? sentence(data) : null;
    if (message === null || message === last) continue;
    await progress?.(message);
    last = message;
  }
  signal.throwIfAborted();
}

/** Returns the progress message for a deployment event, or `null` if the event needs no message. */
function sentence({ id, status, phase, step, error }: DeploymentEvent): string | null {
  if (step === null && phase !== null) return null;
  if (step !== null) return `Deployment ${id}: ${step.name} ${step.state}.`;
  // The error text may come from an external registry, so remove invisible characters from the text.
  return `Deployment ${id} is ${status}${error === null ? '.' : `: ${readable(error).slice(0, MOST_SAID)}`}`;
}
