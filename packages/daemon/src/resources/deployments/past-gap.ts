import { setTimeout as delay } from 'node:timers/promises';
import { ImageProblem } from '../../adapters/engine/image-problem.ts';
import { isOwnImage } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Maximum wait in milliseconds for the registry while it restarts. Normally, the restart takes less than a second. If
 * the registry does not start, the registry's reconciler starts it again before this wait ends.
 */
const GAP_MS = 12_000;
const PAUSE_MS = 200;

/**
 * Sends a request for an image. Repeats the request while the instance's registry refuses connections, because the
 * registry may be restarting. It restarts after each removal of images, because it must be read-only during the
 * removal.
 * @throws the error of the request
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
