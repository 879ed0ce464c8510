/** Bundles the daemon if the existing bundle does not match the present sources. Needs only Node 20 or newer. */
import { join } from 'node:path';
import { isBundleCurrent } from '../../packages/daemon/src/bundle.mjs';
import { execute, lastLines } from './command.mjs';
import { runtimePath } from './runtime.mjs';
import { StepFailure } from './steps.mjs';

/**
 * Bundles the daemon if necessary.
 * @param {string} root the repository
 * @returns {Promise<string>} what was done
 */
export async function ensureDaemon(root) {
  if (isBundleCurrent()) return 'already built';
  const { code, output } = await execute(runtimePath(root), [join(root, 'scripts/build-daemon.ts')], { cwd: root });
  if (code === 0) return 'built';
  const advice = 'Its last words are above. Build it alone with "node_modules/.bin/node scripts/build-daemon.ts".';
  throw new StepFailure('The bundle of the daemon could not be built.', advice, lastLines(output, 20));
}
