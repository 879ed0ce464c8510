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
  /** Id of the last event that the client received, or `null` to get only new events. */
  after: number | null;
  /** Start of the event stream, in seconds before now. Ignored if `after` is set. */
  pastS?: number | undefined;
  kinds: readonly EventKind[];
  /**
   * Reference of an app (`project/environment/app`), to get only the events of this app. Default: events of all apps.
   */
  app?: string | undefined;
  /** Apps whose log lines are added to the event stream. */
  logs?: readonly LogFollow[] | undefined;
}

/** Maximum number of past events that one SQLite query reads. */
const PAGE = 500;

/**
 * Returns the events that the user may see after a position. The first event is `reset` if some of them are deleted.
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
    // First send the id where the event stream starts. A client that disconnects early can then continue from there.
    if (position !== requestedAfter) yield { id: position, event: null, data: null };
    if (!isKept) yield positionGone();
    for (let from = position; ; await turn()) {
      const page = eventsAfter(core.store, from, PAGE);
      if (page.length === 0) break;
      for (const published of page.map(presentEvent))
        if (wanted.has(published.kind) && isSeen(published)) yield published.event;
      from = page.at(-1)?.seq ?? from;
    }
    // There must be no `await` between the last read of past events and this line, or an event could be missed.
    const following = core.live.follow(wanted, isSeen, signal);
    for (let events = await following.next(); events !== null; events = await following.next())
      yield* events.map((event) => forReader(core, actor, event));
  };
}

/**
 * Returns an event without values that the user may not see. For example, the number of warnings excludes other
 * projects.
 */
function forReader({ warnings }: Pick<EventsDeps, 'warnings'>, actor: Actor, event: LiveEvent): LiveEvent {
  if (event.event !== 'machine' || actor.projects === null) return event;
  return { ...event, data: { ...machineSampleFor(actor, event.data), warnings: warnings(actor.projects).length } };
}

/**
 * Returns the events of a deployment until its end, or `null` if the deployment has ended and no event is left.
 * @param after id of the last received event, or `null` for all events
 */
export function followDeployment(
  core: EventsDeps,
  { app, deployment }: DeploymentTarget,
  after: number | null,
): Events | null {
  const { store } = core;
  // An event id above the newest id is unknown. For an unknown id, return all events of the deployment.
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
    // The last event of the deployment may already be deleted, so create it again from the deployment's row.
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
 * Creates the last event of a deployment from its row. The event gets the newest stored id, so that a reconnecting
 * client gets only newer events.
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
