import { setTimeout as delay } from 'node:timers/promises';
import { ImageProblem } from '../../adapters/engine/image-problem.ts';
import { isOwnImage } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Maximum wait in milliseconds for a restarted registry. The registry process usually restarts in a fraction of a
 * second. If it does not, the reconciler of the registry restarts it within this time.
 */
const GAP_MS = 12_000;
const PAUSE_MS = 200;

/**
 * Sends a request for an image, and repeats it while the instance's registry refuses connections. The registry process
 * restarts after each removal of images, because it is read-only during the removal.
 * @throws the error of `ask`
 */
export async function pastGap<T>(
  base: DeploymentsDeps,
  image: string,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + GAP_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isGap = error instanceof ImageProblem && error.code === 'registry_unreachable';
      if (!isGap || !isOwnImage(base.facts, image) || performance.now() > deadline) throw error;
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}
