/**
 * `npm run bench`: sets up the machine, measures all performance guarantees with the pinned runtime, and writes
 * `docs/benchmarks.md`. Usage: `npm run bench -- [--long] [part of a name …]`. The command needs only Node 20 or newer.
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
