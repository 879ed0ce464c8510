/** Bundles the command of a package into plain JavaScript, which runs on Node 20 or newer without other packages. */
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { packageFolders } from './packages.ts';

/**
 * Bundles a command. The only `bin` of the package is its name, and `src/main.ts` is its entry point.
 * @param folder the package
 * @param outdir folder of the bundle, which is emptied first
 * @returns the folders of the npm packages in the bundle
 */
export async function bundleCommand(folder: string, outdir: string): Promise<string[]> {
  const { bin = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const [name] = Object.keys(bin);
  if (name === undefined) throw new Error(`build command: ${folder}/package.json names no bin`);
  // Chunks of an earlier build have other names.
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: folder,
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
    // Complete licenses are written to a separate file.
    legalComments: 'none',
    metafile: true,
    // Some bundled packages are CommonJS and load modules of Node with `require`.
    banner: {
      js: "import { createRequire as davitRequire } from 'node:module'; const require = davitRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return packageFolders(Object.keys(metafile.inputs).map((input) => resolve(folder, input)));
}
