import type { DraftApp } from '../draft.ts';

/** Returns whether an app has or can have several replicas. `spread` and `autoscale` can cause several replicas. */
export function hasCopies({ scale = 1, spread = false, autoscale }: DraftApp): boolean {
  return scale > 1 || spread || autoscale !== undefined;
}
