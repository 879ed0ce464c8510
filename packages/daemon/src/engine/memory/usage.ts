import type { InstanceUsage } from '../engine.ts';
import type { MemoryWorld } from './world.ts';

/** What simulated instances use. */
export function readUsage(_world: MemoryWorld, _ids: readonly string[], _at: Date): Map<string, InstanceUsage> {
  return new Map();
}
