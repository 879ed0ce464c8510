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

export interface EventAsk {
  /** The number of the last event that the reader has; null: it begins now. */
  after: number | null;
  /** Without one: it begins with what happened in the past so many seconds. */
  pastS?: number | undefined;
  kinds: readonly EventKind[];
  /** Only what concerns this app, `project/environment/app`. */
  app?: string | undefined;
  /** The apps whose lines are told too. */
  logs?: readonly LogFollow[] | undefined;
}

/** How many rows are read at once on the way to the present. */
const PAGE = 500;

/**
 * What the actor may see of what happens. The position is where it begins; one that is gone is answered with `reset`.
 * @throws DavitError not_found for an app that it does not see, named as the only one or as one whose lines are told
 */
export function followEvents(core: EventsDeps, ctx: OpContext, { logs = [], ...ask }: EventAsk): Events {
  const lines = logs.map((log) => followedLines(core, ctx, log));
  const happenings = followHappenings(core, ctx, ask);
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
  { after: asked, pastS, kinds, app }: EventAsk,
): Events {
  const appId = app === undefined ? null : lookUp(core.store, actor, 'read', 'app', appPathOf('app', app)).id;
  const isOfTheirs = ({ kind, projectId }: PublishedEvent) =>
    actor.projects === null || (projectId === null ? kind === 'machine' : sees(actor, projectId));
  const isSeen = (told: PublishedEvent) => (appId === null || told.appId === appId) && isOfTheirs(told);
  const wanted = new Set(kinds);
  const { oldest, newest } = eventBounds(core.store);
  const after = asked ?? (pastS === undefined ? null : eventBefore(core.store, core.now() - pastS * 1_000));
  const isKept = after === null || (after >= oldest - 1 && after <= newest);
  const position = isKept && after !== null ? after : newest;

  return async function* (signal) {
    // Who breaks off before anything has happened goes on here without a gap.
    if (position !== asked) yield { id: position, event: null, data: null };
    if (!isKept) yield positionGone();
    for (let from = position; ; await turn()) {
      const page = eventsAfter(core.store, from, PAGE);
      if (page.length === 0) break;
      for (const told of page.map(presentEvent)) if (wanted.has(told.kind) && isSeen(told)) yield told.event;
      from = page.at(-1)?.seq ?? from;
    }
    // Nothing can be committed between the last look at the table and here: there is no await.
    const following = core.live.follow(wanted, isSeen, signal);
    for (let events = await following.next(); events !== null; events = await following.next())
      yield* events.map((event) => forReader(core, actor, event));
  };
}

/** Returns an event with the figures that the actor may see: the number of all warnings depends on other projects. */
function forReader({ warnings }: Pick<EventsDeps, 'warnings'>, actor: Actor, event: LiveEvent): LiveEvent {
  if (event.event !== 'machine' || actor.projects === null) return event;
  return { ...event, data: { ...machineSampleFor(actor, event.data), warnings: warnings(actor.projects).length } };
}

/**
 * What happens to one deployment, to its end. Null: it has ended, and nothing comes after the position.
 * @param after null: from its beginning
 */
export function followDeployment(
  core: EventsDeps,
  { app, deployment }: DeploymentTarget,
  after: number | null,
): Events | null {
  const { store } = core;
  // A position that was never given is none.
  const isKnown = after === null || after <= eventBounds(store).newest;
  const past = () => eventsOfDeployment(store, deployment.id, isKnown ? (after ?? 0) : 0).map(presentEvent);
  if (after !== null && isKnown && past().length === 0 && isTerminal(deployment.status)) return null;

  return async function* (signal) {
    const isOurs = (told: PublishedEvent) => told.deploymentId === deployment.id;
    const following = core.live.follow(new Set(['deployment']), isOurs, signal);
    const told = past();
    if (!isKnown || (after === null && !tellsOfBeginning(told))) yield positionGone();
    for (const { event } of told) {
      yield event;
      if (isEnd(event)) return;
    }
    const now = deploymentById(store, deployment.id);
    if (now === undefined) return;
    // The event of its end is not kept any more: the record says the same.
    if (isTerminal(now.status)) return yield endOnRecord(core, now, app.reference);
    for (let events = await following.next(); events !== null; events = await following.next()) {
      for (const event of events) {
        yield event;
        if (isEnd(event)) return;
      }
    }
  };
}

function tellsOfBeginning([first]: PublishedEvent[]): boolean {
  return first?.event.event === 'deployment' && first.event.data.status === 'pending';
}

function isEnd({ event, data }: LiveEvent): boolean {
  return event === 'deployment' && isTerminal(data.status);
}

/** Numbered as the newest event there is: after it nothing comes. */
function endOnRecord({ store }: EventsDeps, row: DeploymentRow, app: string): LiveEvent {
  const seq = eventBounds(store).newest;
  const { id, status, error } = row;
  const at = timestamp(row.finished_at ?? row.created_at);
  const data: DeploymentEvent = { seq, at, app, id, status, phase: null, step: null, error };
  return { id: seq, event: 'deployment', data };
}

function positionGone(): LiveEvent {
  const message = 'What follows that position is not kept any more, or it was never given: read what you show again.';
  return { event: 'reset', data: { reason: 'position_gone', message } };
}
