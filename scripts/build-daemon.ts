/**
 * Bundles the daemon into `packages/daemon/dist/daemon.mjs`. `scripts/lib/daemon.mjs` starts this script with the pinned
 * runtime. The complete bundle replaces the previous one at once, because a daemon may start at any time.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUNDLE, SOURCES, versionOf } from '../packages/daemon/src/bundle.mjs';

const ROOT = dirname(import.meta.dirname);
const OUT = fileURLToPath(BUNDLE);
/** Represents all npm packages: npm writes this file at each installation. */
const PACKAGES = 'node_modules/.package-lock.json';

/** Code of the bundle before all modules. */
const PROLOGUE = [
  // Some packages are CommonJS and load modules of Node with `require`.
  "import { createRequire } from 'node:module';",
  'const require = createRequire(import.meta.url);',
  // A module finds its scripts and workers beside its source, not beside the bundle.
  'const metaOf = (path) => {',
  '  const url = new URL(path, import.meta.url);',
  "  return { url: url.href, dirname: new URL('.', url).pathname, resolve: import.meta.resolve };",
  '};',
].join('\n');

/** Replaces `import.meta` of each source by the same data of its own file. */
const ownMeta: Plugin = {
  name: 'own-meta',
  setup(bundler) {
    bundler.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const meta = `metaOf(${JSON.stringify(relative(dirname(OUT), path))})`;
      return { contents: source.replaceAll('import.meta', meta), loader: 'ts' };
    });
  },
};

/** Keeps only the English messages of zod, because Davit uses no others. The fifty languages are 300 KB. */
const onlyEnglish: Plugin = {
  name: 'only-english',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ path, importer, resolveDir }) =>
      importer.includes('/node_modules/zod/') ? { path: join(resolveDir, dirname(path), 'en.js') } : null,
    );
  },
};

const startedAt = Date.now();
const { metafile, outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['packages/daemon/src/main.ts'],
  outfile: OUT,
  write: false,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  // Names are not minified, because stack traces contain them.
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  banner: { js: PROLOGUE },
  plugins: [ownMeta, onlyEnglish],
  logLevel: 'warning',
});
const inputs = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
const paths = [...inputs, PACKAGES, 'scripts/build-daemon.ts'].map((path) => relative(dirname(OUT), join(ROOT, path)));
const versions = paths.map((path) => [path, versionOf(path)] as const);
// A source that changed during the build gets no valid version, so the next start does not use the bundle.
const safe = versions.map(([path, version]) => [path, Number.parseFloat(version) < startedAt ? version : ''] as const);

await mkdir(dirname(OUT), { recursive: true });
await rm(SOURCES, { force: true });
await replace(OUT, outputFiles[0]?.contents ?? '');
await replace(fileURLToPath(SOURCES), JSON.stringify(Object.fromEntries(safe)));

async function replace(path: string, contents: string | Uint8Array): Promise<void> {
  const made = `${path}-${process.pid}`;
  await writeFile(made, contents);
  await rename(made, path);
}
