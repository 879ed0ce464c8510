import { setTimeout as delay } from 'node:timers/promises';
import type { EngineEvent } from '../../engine.ts';
import { EventQueue } from '../../event-queue.ts';
import { LABEL, type ObjectKind } from '../../labels.ts';
import { readLines } from '../client/lines.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';
import type { DockerObserver } from './observe.ts';

/**
 * Types of Docker events that change the state of a container. Other types, for example `exec_create` and `attach`, are
 * ignored.
 */
const ACTIONS = ['create', 'start', 'die', 'oom', 'stop', 'pause', 'unpause', 'destroy', 'update', 'rename'];

const RETRY_MS = { first: 250, most: 2000 };

interface DockerEvent {
  Action: string;
  Actor: { ID: string; Attributes: Record<string, string> };
}

/**
 * Returns the container events that happen after the call. Before an event is returned, the cached inspect result of
 * its container is deleted.
 */
export function watchEvents(
  context: DockerContext,
  observer: DockerObserver,
  signal: AbortSignal,
): AsyncIterable<EngineEvent> {
  const queue = new EventQueue(signal);
  void follow(context, observer, queue, signal);
  return queue;
}

/**
 * Reads Docker's event stream until the signal aborts. The promise never rejects. If the stream breaks, it is opened
 * again.
 */
async function follow(
  context: DockerContext,
  observer: DockerObserver,
  queue: EventQueue,
  signal: AbortSignal,
): Promise<void> {
  // The query parameter `since` makes Docker also send container events from before the event stream was open.
  let since: string | null = (Date.now() / 1000).toFixed(3);
  let retryMs = RETRY_MS.first;
  while (!signal.aborted) {
    try {
      const filters = { ...ownFilter(context.davitId), type: ['container'], event: ACTIONS };
      const query = since === null ? { filters } : { filters, since };
      const stream = await context.client.stream({ doing: 'watch events', path: '/events', query, signal });
      retryMs = RETRY_MS.first;
      observer.streamOpened();
      try {
        if (since === null) queue.push({ kind: 'resync' });
        for await (const line of readLines(stream)) publishEvent(line, observer, queue);
      } finally {
        observer.streamClosed();
        stream.destroy();
      }
    } catch (error) {
      if (!signal.aborted) context.log.warn({ error }, 'event stream of Docker ended');
    }
    since = null;
    await delay(retryMs, undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, RETRY_MS.most);
  }
}

function publishEvent(line: string, observer: DockerObserver, queue: EventQueue): void {
  if (line.trim() === '') return;
  const event = JSON.parse(line) as DockerEvent;
  const { ID: id, Attributes: attributes } = event.Actor;
  // Ignores events of the firewall container, because the container exits after each run of nft.
  if (attributes[LABEL.kind] === ('firewall' satisfies ObjectKind)) return;
  if (event.Action === 'destroy') observer.gone(id);
  else observer.changed(id);
  queue.push({ kind: 'changed', id, name: attributes.name ?? '', action: event.Action });
}
