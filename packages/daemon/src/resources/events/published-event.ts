import type { EventKind } from '@davit/api';
import type { LiveEvent } from '../../streams/live-event.ts';

/** Event in its public form, with the fields that select its followers. */
export interface PublishedEvent {
  kind: EventKind;
  /** Id of the project, or `null` for an event without a project. */
  projectId: number | null;
  appId: number | null;
  deploymentId: number | null;
  event: LiveEvent;
}
