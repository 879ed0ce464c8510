/** Waiting for a deployment or a task on behalf of an agent, telling its steps as they happen. */
import { type Deployment, type DeploymentEvent, isTaskOpen, isTerminal, type Task, type TaskEvent } from '@davit/api';
import type { LiveEvent } from '../http/bind.ts';
import type { InnerAnswer, Question } from '../http/inner.ts';
import { readable } from './text.ts';

/** Shorter than the minute after which most clients give a call up. */
export const WAIT_MS = 50_000;
/** Characters of why one failed; all of it is in the record. */
const MOST_SAID = 1_000;

export interface FollowedCall {
  ask: (question: Question) => Promise<InnerAnswer>;
  /** Aborts when the caller is gone, when his rights have ended, and when the instance stops. */
  signal: AbortSignal;
  /** Tells that the call goes on; undefined: nobody asked for it. */
  progress: ((message: string) => Promise<void>) | undefined;
  waitMs?: number;
}

/**
 * Waits until a deployment has ended, but no longer than a call may take; answers its record as it is then.
 * @throws the signal's reason
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

/** The same of a task. */
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
  const told = events(AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))[Symbol.asyncIterator]();
  let next = told.next();
  try {
    // It may have ended before anybody listened.
    if (isOver(await read())) return;
    for (let now = await next; !now.done; now = await next) {
      const { event, data } = now.value;
      const message = event === 'task' ? taskSentence(id, data) : null;
      if (message !== null) await progress?.(message);
      if (event === 'task' && data.id === id && !isTaskOpen(data.status)) return;
      next = told.next();
    }
  } finally {
    // What was asked for last is answered by the end.
    next.catch(() => undefined);
    await told.return?.();
  }
  signal.throwIfAborted();
}

function isOver({ error, reply }: InnerAnswer): boolean {
  return error !== undefined || !isTaskOpen((reply.body as Task).status);
}

/** Null: of another task. */
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

/** Null: nothing that somebody who waits would know it by. */
function sentence({ id, status, phase, step, error }: DeploymentEvent): string | null {
  if (step === null && phase !== null) return null;
  if (step !== null) return `Deployment ${id}: ${step.name} ${step.state}.`;
  // A registry may have a say in why.
  return `Deployment ${id} is ${status}${error === null ? '.' : `: ${readable(error).slice(0, MOST_SAID)}`}`;
}
