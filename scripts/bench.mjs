/**
 * `npm run bench`: sets up, then measures every promise under the pinned runtime and writes `docs/benchmarks.md`.
 * `npm run bench -- [--long] [part of a name …]`. Runs on any Node from 20 on with nothing installed.
 */
import { handOver } from './lib/handover.mjs';
import { StepFailure } from './lib/steps.mjs';
import { ROOT, setUp } from './setup.mjs';

try {
  await setUp('bench');
  process.exitCode = await handOver(ROOT, 'scripts/run-bench.ts', process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepFailure)) console.error(error);
  process.exitCode = 1;
}
