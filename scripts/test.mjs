/**
 * `npm run check`, `npm test`, `npm run test:long`: sets up what the tier needs, then hands over to the pinned runtime.
 * Runs on any Node from 20 on with nothing installed.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runtimePath } from './lib/runtime.mjs';
import { StepFailure } from './lib/steps.mjs';
import { ROOT, setUp } from './setup.mjs';

const TIERS = ['check', 'test', 'long'];

async function main() {
  const [tier = 'check', ...rest] = process.argv.slice(2);
  if (!TIERS.includes(tier)) {
    console.error(`There is no tier "${tier}". Use one of: ${TIERS.join(', ')}.`);
    return 2;
  }
  const { engine } = await setUp(tier === 'check' ? 'check' : 'test');
  const live = process.getuid?.() === 0 && engine === 'docker' ? ['--live'] : [];
  const child = spawn(runtimePath(ROOT), [join(ROOT, 'scripts/run-tests.ts'), tier, ...live, ...rest], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  // The runner ends its own children on a signal; this process only has to outlive it to report its code.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
