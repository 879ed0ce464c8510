import type { DraftApp } from '../draft.ts';

/** Returns whether an app has several replicas, or can have several because of `spread` or `autoscale`. */
export function hasCopies({ scale = 1, spread = false, autoscale }: DraftApp): boolean {
  return scale > 1 || spread || autoscale !== undefined;
}
