import { type BenchResult, formatValue } from './result.ts';

/** Creates `docs/benchmarks.md` from the stored results. `bench/results` has the details of each result. */
export function benchmarksPage(results: BenchResult[]): string {
  const machines = new Set(results.map(({ machine }) => machine));
  const days = results.map(({ at }) => at.slice(0, 10)).sort();
  const lines = [
    '# Benchmarks',
    '',
    '`npm run bench` measures every promise of Davit, compares it with its limit, fails if a promise is missed, and writes',
    'this page. `npm run bench -- <name>` runs the benchmarks whose file in `bench/` has the name in it.',
    '',
    'A ratio (×) compares Davit with a peer that was measured in the same run on the same machine.',
    `The results are from ${days[0]} to ${days.at(-1)}.`,
    '',
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
