import { type BenchResult, formatValue } from './result.ts';

/** Creates `docs/benchmarks.md` from the stored results. `bench/results` has the details of each result. */
export function benchmarksPage(results: BenchResult[]): string {
  const machines = new Set(results.map(({ machine }) => machine));
  const days = results.map(({ at }) => at.slice(0, 10)).sort();
  const lines = [
    '# Benchmarks',
    '',
    'The `npm run bench` command runs the benchmarks of Davit, compares each result with its limit, and writes this',
    'page. The command fails if a result is not within its limit. To run only some benchmarks, add a part of their',
    'file names: `npm run bench -- <name>`.',
    '',
    'A ratio (×) compares Davit with another program or a simpler setup. We measured both in the same run on the same',
    `server. The results are from ${days[0]} to ${days.at(-1)}, on these servers:`,
    ...[...machines].map((machine) => `- ${machine}`),
    '',
    '| promise | limit | measured | result |',
    '|---|---|---|---|',
    ...results.map(
      (one) => `| ${one.promise} | ${one.limit} | ${formatValue(one)} | ${one.ok ? 'kept' : '**missed**'} |`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
