/** Writes the reference page with the results of importing whole sets of Compose files. */
import { EQUIVALENTS } from './equivalents.ts';
import type { Measured } from './measure.ts';

/** Share of correct values, in percent, below which the page lists a key. */
const GOAL = 95;
const MOST_REASONS = 40;

export interface SetInfo {
  source: string;
  licence: string;
}

/** Public sets of Compose files, by the name of their folder. */
export const SETS: Readonly<Record<string, SetInfo>> = {
  awesome: { source: 'docker/awesome-compose@18f59bdb', licence: 'CC0 1.0' },
  caprover: { source: 'caprover/one-click-apps@dab9e6cf', licence: 'Apache 2.0' },
  coolify: { source: 'coollabsio/coolify@379abb25', licence: 'Apache 2.0' },
  dokploy: { source: 'Dokploy/templates@285e667c', licence: 'MIT' },
};

export type Sets = ReadonlyMap<string, readonly Measured[]>;

/** Returns the page with the measured results of each set. */
export function setsPage(sets: Sets): string {
  const all = [...sets.values()].flat();
  const low = keyRows(all).filter(({ correct, all: count }) => percent(correct, count) < GOAL);
  return `<!-- This page is generated. To change it, run “node scripts/compose-sets.ts <folder>”. -->
<!-- Source of this page: scripts/compose-sets/ -->

# Compose files of public sets

Davit can import a Compose file, which converts the file to a template. This page shows how well this works for Compose
files from public collections (sets). Each set contains every second file of its source, in the order of the file names.
The files are not a part of this repository, except for a [small
subset](../../packages/template/fixtures/stacks/README.md) that the tests use.

A test program imports each Compose file of a set, without other files of the same folder. To check the new template,
the program reads the Compose file a second time with its own rules. Then it compares the values in the Compose file
with the values in the template. It does not use the report of the import.

## Files

| set | source | licence | files | complete | with losses | refused |
|---|---|---|---|---|---|---|
${[...sets].map(([name, files]) => setRow(name, files)).join('\n')}

- **complete**: the import converts every key of the Compose file, or the default behavior of Davit is the same.

- **with losses**: the import leaves out at least one key of the Compose file, and its report contains the reason.

- **refused**: the import fails, or an instance refuses the new template. The report of the import contains the reason.

## Keys

The tables in this section count the keys of services in Compose files, such as \`image\` or \`ports\`. If two services
have the same key, the key counts twice. The column “not counted” lists values that Davit has no equivalent for. A key
is correct if the import converts all values of the key correctly.

| set | keys with an equivalent | correct | share |
|---|---|---|---|
${[...sets].map(([name, files]) => shareRow(name, files)).join('\n')}
${shareRow('**all sets**', all)}

Number of wrong conversions that the report of the import does not mention: ${all.flatMap(({ differences }) => differences).filter(({ isStated }) => !isStated).length}.

| key | equivalent in Davit | not counted | keys | correct | share |
|---|---|---|---|---|---|
${keyRows(all).map(keyRow).join('\n')}

The import converts less than ${GOAL} % of the values of these Compose keys correctly: ${low.map(({ key }) => `\`${key}\``).join(', ') || 'none'}. A
template has no keys for these settings. After the installation of the template, change them in the settings of the app.

## Reasons for refused files

${reasonTable(all, 'refused')}

## Reasons for losses

The table shows at most ${MOST_REASONS} reasons, the most frequent first. A file counts once for each reason.

${reasonTable(all, 'lossy')}
`;
}

function setRow(name: string, files: readonly Measured[]): string {
  const { source = '', licence = '' } = SETS[name] ?? {};
  const count = (outcome: Measured['outcome']) => files.filter((file) => file.outcome === outcome).length;
  return row([name, source, licence, files.length, count('whole'), count('lossy'), count('refused')]);
}

function shareRow(name: string, files: readonly Measured[]): string {
  const rows = keyRows(files);
  const sum = (of: 'correct' | 'all') => rows.reduce((total, one) => total + one[of], 0);
  return row([name, sum('all'), sum('correct'), shown(sum('correct'), sum('all'))]);
}

interface KeyRow {
  key: string;
  correct: number;
  all: number;
}

/** Returns the counts of each key over all files, in the order of the list of equivalents. */
export function keyRows(files: readonly Measured[]): KeyRow[] {
  return Object.keys(EQUIVALENTS).map((key) => {
    const counts = files.flatMap(({ keys }) => keys.get(key) ?? []);
    const sum = (of: 'correct' | 'all') => counts.reduce((total, one) => total + one[of], 0);
    return { key, correct: sum('correct'), all: sum('all') };
  });
}

function keyRow({ key, correct, all }: KeyRow): string {
  const { davit = '', except = '' } = EQUIVALENTS[key] ?? {};
  return row([`\`${key}\``, davit, except, all, correct, shown(correct, all)]);
}

function reasonTable(files: readonly Measured[], outcome: Measured['outcome']): string {
  const counts = new Map<string, number>();
  for (const reason of files.filter((file) => file.outcome === outcome).flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, MOST_REASONS);
  return ['| files | reason |', '|---|---|', ...rows.map(([reason, count]) => row([count, reason]))].join('\n');
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('<', '\\<')).join(' | ')} |`;
}

function shown(correct: number, all: number): string {
  return all === 0 ? '–' : `${percent(correct, all).toFixed(1)} %`;
}

function percent(correct: number, all: number): number {
  return all === 0 ? 100 : (100 * correct) / all;
}
