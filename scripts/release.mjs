/** `npm run release`: sets up what the build needs, then builds a release with the pinned runtime. Needs only Node 20. */
import { handOver } from './lib/handover.mjs';
import { StepFailure } from './lib/steps.mjs';
import { ROOT, setUp } from './setup.mjs';

try {
  await setUp('dashboard');
  process.exitCode = await handOver(ROOT, 'scripts/release/main.ts', process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
