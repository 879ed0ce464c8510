/** Bundles the command of the package in the current folder into `dist/`, which `npm pack` includes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleCommand } from './bundle/command.ts';
import { licensesOf } from './bundle/packages.ts';

const outdir = join(process.cwd(), 'dist');
const packages = await bundleCommand(process.cwd(), outdir);
const own = await readFile(join(import.meta.dirname, '../LICENSE'), 'utf8');
await writeFile(join(outdir, 'LICENSES.txt'), await licensesOf(packages, own));
