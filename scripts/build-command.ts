/**
 * Bundles a package's command into plain JavaScript that any Node from 20 on runs, with nothing else to install: what
 * `npm pack` in that package puts into it. It runs in the package's folder: the name is that of its one `bin`, the
 * beginning is `src/main.ts`.
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

// Parts of an earlier build have other names.
await rm(outdir, { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: { [name]: join(folder, 'src/main.ts') },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // What a command does not need is not read: the schemas of the API alone are half a megabyte.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names are kept: an error is told apart by its class's.
  minifyWhitespace: true,
  minifySyntax: true,
  // Whole licenses are put beside it below.
  legalComments: 'none',
  metafile: true,
  // Some of what is bundled is CommonJS and asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as davitRequire } from 'node:module'; const require = davitRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

await writeFile(join(outdir, 'LICENSES.txt'), await licensesOf(Object.keys(metafile.inputs)));

/** The licenses of everything that is in the bundle, as they ask for. @throws Error when a package has none */
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
