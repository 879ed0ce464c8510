import type { DraftApp } from '../draft.ts';

/** Returns whether an app has more than one replica or can have more. */
export function hasCopies({ scale = 1, spread = false, autoscale }: DraftApp): boolean {
  return scale > 1 || spread || autoscale !== undefined;
}
