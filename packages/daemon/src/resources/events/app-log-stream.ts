import { invalidField, type ResetReason } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { lookUp } from '../../authorization/lookup.ts';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { LINES_GONE, LINES_UNREADABLE, logEvent, USUAL_LINES } from '../logs/log.ts';
import type { EventsDeps } from './deps.ts';

/** App whose log lines are added to an event stream. */
export interface LogFollow {
  reference: string;
  /** Number of the last log line that the client received, or `null` to start with the newest lines. */
  after: number | null;
}

/**
 * Splits an app reference such as `shop/production/web` into path parameters.
 * @throws DavitError invalid_input
 */
export function appPathOf(field: string, reference: string): Record<string, string> {
  const [project = '', environment = '', app = '', ...more] = reference.split('/');
  if (more.length > 0 || app === '') {
    throw invalidField(field, 'invalid_format', 'must be an app in the form “project/environment/app”.');
  }
  return { project, environment, app };
}

/**
 * Returns an app's log lines as events without an id. If the log of the app ends or fails, the event stream continues.
 * @throws DavitError not_found if the user cannot see the app
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
      /*
       * If a client reads log lines too slowly, the client also receives its other events too late. So end the whole
       * event stream.
       */
      if (signal.aborted || error instanceof FollowerTooSlow) throw error;
      log.warn({ app: reference, error }, 'the log of an app could not be read for an event stream');
      yield reset(reference, 'unavailable', LINES_UNREADABLE);
      return;
    }
    if (!signal.aborted) yield reset(reference, 'rights_ended', `The app “${reference}” was deleted.`);
  };
}

function reset(app: string, reason: ResetReason, message: string): LiveEvent {
  return { event: 'reset', data: { reason, message, app } };
}
