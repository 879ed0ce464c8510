import { setTimeout as delay } from 'node:timers/promises';
import { ImageProblem } from '../../adapters/engine/image-problem.ts';
import { isOwnImage } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Time in milliseconds in which a restarted registry must be back. The restart takes a fraction of a second, or until
 * the next check. A longer gap is an error.
 */
const GAP_MS = 12_000;
const PAUSE_MS = 200;

/**
 * Requests an image of the own registry from the engine, and repeats the request while nothing listens. The registry
 * process restarts after each period in which it accepts no pushes.
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
