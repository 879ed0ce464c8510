/**
 * Bundles the command of a package into plain JavaScript, which `npm pack` includes. The bundle runs on Node 20 or
 * newer without other packages. The script runs in the folder of the package: the name of the command is the only
 * `bin`, and the entry point is `src/main.ts`.
 */
import { existsSync, globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = process.cwd();
const outdir = join(folder, 'dist');
const { bin = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const [name] = Object.keys(bin);
if (name === undefined) throw new Error(`build command: ${folder}/package.json names no bin`);

// Chunks of an earlier build have other names.
await rm(outdir, { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: { [name]: join(folder, 'src/main.ts') },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // With splitting, a command loads only what it needs. The schemas of the API alone are half a megabyte.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names are not minified, because code distinguishes errors by their class name.
  minifyWhitespace: true,
  minifySyntax: true,
  // Complete licenses are written to a separate file below.
  legalComments: 'none',
  metafile: true,
  // Some bundled packages are CommonJS and load modules of Node with `require`.
  banner: {
    js: "import { createRequire as davitRequire } from 'node:module'; const require = davitRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

await writeFile(join(outdir, 'LICENSES.txt'), await licensesOf(Object.keys(metafile.inputs)));

/**
 * Returns the licenses of all packages in the bundle, as the licenses require.
 * @throws Error if a package has no license
 */
async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  const own = `davit\n\n${await readFile(join(root, 'LICENSE'), 'utf8')}`;
  const others = [...new Set(folders)].sort().map(async (folder) => {
    const absolute = [process.cwd(), root].map((base) => join(base, folder)).find((path) => existsSync(path));
    const [file] = absolute === undefined ? [] : globSync('{LICENSE,LICENCE,license}*', { cwd: absolute });
    if (absolute === undefined || file === undefined) throw new Error(`read license: ${folder} has none`);
    return `${folder.replace(/^.*node_modules\//, '')}\n\n${await readFile(join(absolute, file), 'utf8')}`;
  });
  return [own, ...(await Promise.all(others))].join(`\n${'-'.repeat(80)}\n\n`);
}
