import type { EventKind } from '@davit/api';
import type { LiveEvent } from '../../streams/live-event.ts';

/** Event in the form that clients get, with the fields that determine which clients get the event. */
export interface PublishedEvent {
  kind: EventKind;
  /** Id of the event's project, or `null` for an event without a project. */
  projectId: number | null;
  appId: number | null;
  deploymentId: number | null;
  event: LiveEvent;
}
