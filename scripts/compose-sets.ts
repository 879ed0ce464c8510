/**
 * Imports all Compose files below a folder and writes `docs/reference/compose-sets.md`. Each folder in the given folder
 * is one set. With `--differences`, it only prints each key that the import did not convert correctly.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measured, measure } from './compose-sets/measure.ts';
import { setsPage } from './compose-sets/page.ts';

const PAGE = join(import.meta.dirname, '../docs/reference/compose-sets.md');

const { positionals, values } = parseArgs({ allowPositionals: true, options: { differences: { type: 'boolean' } } });
const [folder] = positionals;
if (folder === undefined) throw new Error('Give the folder with the sets: node scripts/compose-sets.ts <folder>');

const sets = new Map<string, Measured[]>();
for (const path of globSync('*/**/*.{yml,yaml}', { cwd: folder }).sort()) {
  const measured = measure(readFileSync(join(folder, path), 'utf8'));
  const [set = ''] = path.split('/');
  sets.set(set, [...(sets.get(set) ?? []), measured]);
  if (values.differences !== true) continue;
  for (const { service, key, wrong, isStated } of measured.differences)
    process.stdout.write(`${path} ${service}.${key}: ${wrong}${isStated ? '' : ' (without a note)'}\n`);
}
if (sets.size === 0) throw new Error(`${folder} contains no Compose files`);
if (values.differences !== true) {
  writeFileSync(PAGE, setsPage(sets));
  process.stdout.write('Wrote docs/reference/compose-sets.md.\n');
}
