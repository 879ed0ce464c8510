/**
 * `npm run check`, `npm test`, `npm run test:long`: sets up the machine for the tier, and runs the tests with the
 * pinned runtime. The command needs only Node 20 or newer.
 */
import { handOver } from './lib/handover.mjs';
import { StepFailure } from './lib/steps.mjs';
import { ROOT, setUp } from './setup.mjs';

/** Pattern for tests that need a dashboard built from the present sources. For other tests, any build is sufficient. */
const ABOUT_DASHBOARD = /dashboard|e2e/;

const TIERS = ['check', 'test', 'long'];

async function main() {
  const [tier = 'check', ...rest] = process.argv.slice(2);
  if (!TIERS.includes(tier)) {
    console.error(`There is no tier "${tier}". Use one of: ${TIERS.join(', ')}.`);
    return 2;
  }
  const only = rest[rest.indexOf('--only') + 1];
  const flags = rest.includes('--only') && !ABOUT_DASHBOARD.test(only) ? ['--old-dashboard'] : [];
  const { engine } = await setUp(tier, flags);
  const live = process.getuid?.() === 0 && engine === 'docker' ? ['--live'] : [];
  return handOver(ROOT, 'scripts/run-tests.ts', [tier, ...live, ...rest]);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
