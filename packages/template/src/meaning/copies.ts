import type { DraftApp } from '../draft.ts';

/** Whether an app runs, or may come to run, in more than one copy. */
export function hasCopies({ scale = 1, spread = false, autoscale }: DraftApp): boolean {
  return scale > 1 || spread || autoscale !== undefined;
}
