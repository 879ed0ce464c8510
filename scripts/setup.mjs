/**
 * Brings this machine to where a command can run: `node scripts/setup.mjs start|test|check|bench`. Idempotent: what is
 * there already is left alone. Runs on any Node from 20 on with nothing installed.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './lib/packages.mjs';
import { checkRuntime } from './lib/runtime.mjs';
import { createSteps, StepFailure } from './lib/steps.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const PURPOSES = ['start', 'test', 'check', 'bench'];

/**
 * @param {'start' | 'test' | 'check' | 'bench'} purpose
 * @param {ReturnType<typeof createSteps>} [steps]
 * @returns {Promise<{ engine: 'docker' | 'none' | 'not asked' }>}
 */
export async function setUp(purpose, steps = createSteps()) {
  await steps.run('npm packages', () => installPackages(ROOT));
  await steps.run('runtime', () => checkRuntime(ROOT));
  return { engine: 'not asked' };
}

async function main() {
  const [purpose = ''] = process.argv.slice(2);
  if (!PURPOSES.includes(purpose)) {
    console.error(`Usage: node scripts/setup.mjs ${PURPOSES.join('|')}`);
    return 2;
  }
  await setUp(purpose);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof StepFailure)) console.error(error);
    process.exitCode = 1;
  }
}
