import { setImmediate as turn } from 'node:timers/promises';
import { type DeploymentEvent, type EventKind, isTerminal, timestamp } from '@davit/api';
import type { Actor, OpContext } from '../../auth/context.ts';
import { type DeploymentTarget, lookUp, sees } from '../../authorization/lookup.ts';
import { type DeploymentRow, deploymentById } from '../../db/tables/deployment.ts';
import { eventBefore, eventBounds, eventsAfter, eventsOfDeployment } from '../../db/tables/event.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { mergeStreams } from '../../streams/merge.ts';
import { machineSampleFor } from '../metrics/metric.ts';
import { appPathOf, followedLines, type LogFollow } from './app-log-stream.ts';
import type { EventsDeps } from './deps.ts';
import { presentEvent } from './present.ts';
import type { PublishedEvent } from './published-event.ts';

type Events = (signal: AbortSignal) => AsyncGenerator<LiveEvent>;

export interface EventRequest {
  /** Id of the last event that the client received. With `null`, the client gets only new events. */
  after: number | null;
  /** Start of the event stream, as a number of seconds before the current time. Ignored if `after` is set. */
  pastS?: number | undefined;
  kinds: readonly EventKind[];
  /**
   * Reference of an app in the form `project/environment/app`. The client gets only events of this app. Without a
   * reference, the client gets the events of all apps.
   */
  app?: string | undefined;
  /** Apps whose log lines are added to the event stream of the client. */
  logs?: readonly LogFollow[] | undefined;
}

/** Maximum number of past events that one SQLite query reads. */
const PAGE = 500;

/**
 * Returns the events after a given event id that the user may see. If Davit has already deleted some of these events,
 * the first event is `reset`.
 * @throws DavitError not_found for an app that the user cannot see
 */
export function followEvents(core: EventsDeps, ctx: OpContext, { logs = [], ...request }: EventRequest): Events {
  const lines = logs.map((log) => followedLines(core, ctx, log));
  const happenings = followHappenings(core, ctx, request);
  if (lines.length === 0) return happenings;
  return (signal) =>
    mergeStreams(
      happenings(signal),
      lines.map((of) => of(signal)),
    );
}

function followHappenings(
  core: EventsDeps,
  { actor }: OpContext,
  { after: requestedAfter, pastS, kinds, app }: EventRequest,
): Events {
  const appId = app === undefined ? null : lookUp(core.store, actor, 'read', 'app', appPathOf('app', app)).id;
  const isOfTheirs = ({ kind, projectId }: PublishedEvent) =>
    actor.projects === null || (projectId === null ? kind === 'machine' : sees(actor, projectId));
  const isSeen = (published: PublishedEvent) => (appId === null || published.appId === appId) && isOfTheirs(published);
  const wanted = new Set(kinds);
  const { oldest, newest } = eventBounds(core.store);
  const after = requestedAfter ?? (pastS === undefined ? null : eventBefore(core.store, core.now() - pastS * 1_000));
  const isKept = after === null || (after >= oldest - 1 && after <= newest);
  const position = isKept && after !== null ? after : newest;

  return async function* (signal) {
    /*
     * First send the event id at which the event stream starts. If the client disconnects early, the client can
     * continue from this id.
     */
    if (position !== requestedAfter) yield { id: position, event: null, data: null };
    if (!isKept) yield positionGone();
    for (let from = position; ; await turn()) {
      const page = eventsAfter(core.store, from, PAGE);
      if (page.length === 0) break;
      for (const published of page.map(presentEvent))
        if (wanted.has(published.kind) && isSeen(published)) yield published.event;
      from = page.at(-1)?.seq ?? from;
    }
    /*
     * Do not use `await` between the last read of stored events and the next line. Otherwise, the client could miss an
     * event.
     */
    const following = core.live.follow(wanted, isSeen, signal);
    for (let events = await following.next(); events !== null; events = await following.next())
      yield* events.map((event) => forReader(core, actor, event));
  };
}

/**
 * Returns an event without values that the user may not see. For example, the number of warnings includes only the
 * user's projects.
 */
function forReader({ warnings }: Pick<EventsDeps, 'warnings'>, actor: Actor, event: LiveEvent): LiveEvent {
  if (event.event !== 'machine' || actor.projects === null) return event;
  return { ...event, data: { ...machineSampleFor(actor, event.data), warnings: warnings(actor.projects).length } };
}

/**
 * Returns the events of a deployment until its end. If the deployment has ended and the client has received all events,
 * returns `null`.
 * @param after id of the last received event, or `null` for all events
 */
export function followDeployment(
  core: EventsDeps,
  { app, deployment }: DeploymentTarget,
  after: number | null,
): Events | null {
  const { store } = core;
  // An event id above the newest stored id is invalid. For an invalid id, return all events of the deployment.
  const isKnown = after === null || after <= eventBounds(store).newest;
  const past = () => eventsOfDeployment(store, deployment.id, isKnown ? (after ?? 0) : 0).map(presentEvent);
  if (after !== null && isKnown && past().length === 0 && isTerminal(deployment.status)) return null;

  return async function* (signal) {
    const isOurs = (published: PublishedEvent) => published.deploymentId === deployment.id;
    const following = core.live.follow(new Set(['deployment']), isOurs, signal);
    const pastEvents = past();
    if (!isKnown || (after === null && !hasStart(pastEvents))) yield positionGone();
    for (const { event } of pastEvents) {
      yield event;
      if (isEnd(event)) return;
    }
    const now = deploymentById(store, deployment.id);
    if (now === undefined) return;
    /*
     * Davit may already have deleted the last event of the deployment. So create the event again from the deployment's
     * SQLite row.
     */
    if (isTerminal(now.status)) return yield endOnRecord(core, now, app.reference);
    for (let events = await following.next(); events !== null; events = await following.next()) {
      for (const event of events) {
        yield event;
        if (isEnd(event)) return;
      }
    }
  };
}

function hasStart([first]: PublishedEvent[]): boolean {
  return first?.event.event === 'deployment' && first.event.data.status === 'pending';
}

function isEnd({ event, data }: LiveEvent): boolean {
  return event === 'deployment' && isTerminal(data.status);
}

/**
 * Creates the last event of a deployment from its SQLite row. The event gets the newest stored event id. If the client
 * reconnects, it gets only events after this id.
 */
function endOnRecord({ store }: EventsDeps, row: DeploymentRow, app: string): LiveEvent {
  const seq = eventBounds(store).newest;
  const { id, status, error } = row;
  const at = timestamp(row.finished_at ?? row.created_at);
  const data: DeploymentEvent = { seq, at, app, id, status, phase: null, step: null, error };
  return { id: seq, event: 'deployment', data };
}

function positionGone(): LiveEvent {
  const message =
    'The stream cannot continue at the requested position: the position is not valid, or the events after it are no longer stored. Some events may be missing, so load all data again.';
  return { event: 'reset', data: { reason: 'position_gone', message } };
}
