import { setTimeout as delay } from 'node:timers/promises';
import { ImageProblem } from '../../adapters/engine/image-problem.ts';
import { isOwnImage } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Maximum time in milliseconds to wait for the restart of the instance's registry. A background job restarts a failed
 * registry within this time.
 */
const GAP_MS = 12_000;
const PAUSE_MS = 200;

/**
 * Sends a request to the instance's registry, and repeats it while the registry refuses connections. The registry
 * refuses connections for a short time, because it restarts after each removal of images.
 */
export async function pastGap<T>(
  base: DeploymentsDeps,
  image: string,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + GAP_MS;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const isGap = error instanceof ImageProblem && error.code === 'registry_unreachable';
      if (!isGap || !isOwnImage(base.facts, image) || performance.now() > deadline) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
