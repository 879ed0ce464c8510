import { type EventKind, invalidField, operations } from '@davit/api';
import type { LogFollow } from '../../resources/events/app-log-stream.ts';
import { followDeployment, followEvents } from '../../resources/events/event.ts';
import { type Binding, bind, noContent } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const eventRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.followEvents, ({ ctx, query, lastEventId }) => {
    // This type cast is safe, because the API has already validated the query parameter `kinds`.
    const kinds = query.kinds.split(',') as EventKind[];
    const after = position(lastEventId, query.after);
    const events = followEvents(core, ctx, { ...query, after, kinds, pastS: query.past, logs: logsOf(query.logs) });
    return { status: 200, events, heartbeatMs: query.heartbeat && query.heartbeat * 1_000 };
  }),
  bind(operations.followDeployment, ({ target, query, lastEventId }) => {
    const events = followDeployment(core, target, position(lastEventId, query.after));
    /*
     * After the end of an event stream, the `EventSource` of a browser reconnects automatically. Status 204 stops the
     * reconnection.
     */
    return events === null ? noContent() : { status: 200, events };
  }),
];

/**
 * Parses the query parameter `logs`: the apps whose logs the client follows.
 * @throws DavitError invalid_input if an app occurs twice
 */
function logsOf(text: string | undefined): LogFollow[] {
  const logs = (text?.split(',') ?? []).map((one): LogFollow => {
    const [reference = '', after] = one.split('@');
    return { reference, after: after === undefined ? null : Number(after) };
  });
  const names = new Set(logs.map(({ reference }) => reference));
  if (names.size < logs.length)
    throw invalidField('logs', 'duplicate', 'The list contains an app twice. Name each app once.');
  return logs;
}

/**
 * Returns the id of the last event that the client has received, or `null`.
 * @throws DavitError invalid_input if `Last-Event-ID` is not a number
 */
function position(lastEventId: string | undefined, after: string | undefined): number | null {
  if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) {
    throw invalidField('Last-Event-ID', 'invalid_format', 'must be the ID of an event: 1 to 15 digits.');
  }
  const text = lastEventId ?? after;
  return text === undefined ? null : Number(text);
}
