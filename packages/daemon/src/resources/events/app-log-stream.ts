import { invalidField, type ResetReason } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { lookUp } from '../../authorization/lookup.ts';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { LINES_GONE, LINES_UNREADABLE, logEvent, USUAL_LINES } from '../logs/log.ts';
import type { EventsDeps } from './deps.ts';

/** An app whose lines are told in a stream of what happens. */
export interface LogFollow {
  /** `project/environment/app`. */
  reference: string;
  /** The number of the last line that the reader has; null: it begins with the newest ones. */
  after: number | null;
}

/** @throws DavitError invalid_input for a text that names no app */
export function appPathOf(field: string, reference: string): Record<string, string> {
  const [project = '', environment = '', app = '', ...more] = reference.split('/');
  if (more.length > 0 || app === '') {
    throw invalidField(field, 'invalid_format', 'must be a reference, «project/environment/app».');
  }
  return { project, environment, app };
}

/**
 * What an app writes, as a part of a stream of what happens: without a number of its own, and whatever ends it is told of
 * this app alone.
 * @throws DavitError not_found for an app that the actor does not see
 */
export function followedLines(
  core: EventsDeps,
  { actor, log }: OpContext,
  { reference, after }: LogFollow,
): (signal: AbortSignal) => AsyncGenerator<LiveEvent> {
  const app = lookUp(core.store, actor, 'read', 'app', appPathOf('logs', reference));
  return async function* lines(signal) {
    try {
      for await (const followed of core.logs.follow(app.id, { filter: {}, tail: USUAL_LINES, after }, signal)) {
        if (followed.kind === 'reset') yield reset(reference, 'position_gone', LINES_GONE);
        else yield { ...logEvent(core, app, followed), id: undefined };
      }
    } catch (error) {
      // Who reads too slowly does so for all that the stream has.
      if (signal.aborted || error instanceof FollowerTooSlow) throw error;
      log.warn({ app: reference, error }, 'the lines of an app cannot be followed');
      yield reset(reference, 'unavailable', LINES_UNREADABLE);
      return;
    }
    if (!signal.aborted) yield reset(reference, 'rights_ended', `There is no app «${reference}» any more.`);
  };
}

function reset(app: string, reason: ResetReason, message: string): LiveEvent {
  return { event: 'reset', data: { reason, message, app } };
}
