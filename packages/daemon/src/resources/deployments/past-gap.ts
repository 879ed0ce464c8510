import { setTimeout as delay } from 'node:timers/promises';
import { ImageProblem } from '../../adapters/engine/image-problem.ts';
import { isOwnImage } from '../../image-references/own-registry.ts';
import type { DeploymentsDeps } from './deps.ts';

/** The registry is back in a fraction of a second, or when it is next looked after; what takes longer is told. */
const GAP_MS = 12_000;
const PAUSE_MS = 200;

/**
 * Asks the engine for an image of the instance's own registry, and again while nothing listens there: the registry is
 * another process after each moment in which it takes no pushes.
 * @throws what `ask` throws
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
