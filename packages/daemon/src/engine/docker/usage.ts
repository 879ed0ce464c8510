import type { InstanceUsage } from '../engine.ts';
import type { DockerContext } from './context.ts';
import type { DockerInstances } from './instances.ts';

/** What running instances use. */
export async function readUsage(
  _context: DockerContext,
  _instances: DockerInstances,
  _ids: readonly string[],
  _signal?: AbortSignal,
): Promise<Map<string, InstanceUsage>> {
  throw new Error('not made yet');
}
