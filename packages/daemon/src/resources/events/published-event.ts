import type { EventKind } from '@davit/api';
import type { LiveEvent } from '../../streams/live-event.ts';

/**
 * Event for the clients of the event stream. `event` is the content. The other fields decide which clients receive the
 * event.
 */
export interface PublishedEvent {
  kind: EventKind;
  /** Id of the event's project, or `null` for an event without a project. */
  projectId: number | null;
  appId: number | null;
  deploymentId: number | null;
  event: LiveEvent;
}
