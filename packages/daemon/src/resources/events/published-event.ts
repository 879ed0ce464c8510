import type { EventKind } from '@davit/api';
import type { LiveEvent } from '../../streams/live-event.ts';

/** An event as followers get it, with what decides which of them do. */
export interface PublishedEvent {
  kind: EventKind;
  /** Null: of no project. */
  projectId: number | null;
  appId: number | null;
  deploymentId: number | null;
  event: LiveEvent;
}
