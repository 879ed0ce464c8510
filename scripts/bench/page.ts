import { type BenchResult, formatNumber, formatValue } from './result.ts';

function details(result: BenchResult): string[] {
  const rows = Object.entries(result.details);
  if (rows.length === 0) return [];
  const value = (found: string | number) => (typeof found === 'number' ? formatNumber(found) : found);
  return [
    '',
    `## ${result.promise}`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, found]) => `| ${name} | ${value(found)} |`),
    '',
    `Measured on ${result.at.slice(0, 10)}: ${result.machine}.`,
  ];
}

/** Creates `docs/benchmarks.md` from the stored results. */
export function benchmarksPage(results: BenchResult[]): string {
  const lines = [
    '# Benchmarks',
    '',
    'Made by `npm run bench`, which measures every promise again and fails when one is not kept. Peers are measured in the',
    'same run on the same machine, so a ratio compares like with like.',
    '',
    '| promise | limit | measured | |',
    '|---|---|---|---|',
    ...results.map(
      (one) => `| ${one.promise} | ${one.limit} | ${formatValue(one)} | ${one.ok ? 'kept' : '**missed**'} |`,
    ),
    ...results.flatMap(details),
  ];
  return `${lines.join('\n')}\n`;
}
