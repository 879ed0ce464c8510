/**
 * Bundles the daemon into `packages/daemon/dist/daemon.mjs`. `scripts/lib/daemon.mjs` starts this script with the pinned
 * runtime. The complete bundle replaces the previous one at once, because a daemon may start at any time.
 */
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUNDLE, SOURCES, versionOf } from '../packages/daemon/src/bundle.mjs';

const ROOT = dirname(import.meta.dirname);
const OUT = fileURLToPath(BUNDLE);
/**
 * Files that change the bundle without being part of it. npm writes `.package-lock.json` at each installation, so this
 * file represents all npm packages.
 */
const SETTINGS = [
  'node_modules/.package-lock.json',
  'scripts/build-daemon.ts',
  ...globSync(['tsconfig*.json', 'packages/*/{package,tsconfig}.json'], { cwd: ROOT }),
];

/** Code of the bundle before all modules. Its names must not occur in the modules. */
const PROLOGUE = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  "import { fileURLToPath as bundlePathOf } from 'node:url';",
  // Some packages are CommonJS and load modules of Node with `require`.
  'const require = createBundleRequire(import.meta.url);',
  // A module finds its scripts and workers beside its source, not beside the bundle.
  'const metaOf = (path) => {',
  '  const url = new URL(path, import.meta.url);',
  "  return { url: url.href, dirname: bundlePathOf(new URL('.', url)), resolve: import.meta.resolve };",
  '};',
].join('\n');

/** Map from the path of each source, relative to the bundle, to its version before it was read. */
const versions = new Map<string, string>();

/** Records the version of each source, and replaces its `import.meta` by the same data of its own file. */
const ownSources: Plugin = {
  name: 'own-sources',
  setup(bundler) {
    bundler.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.(ts|mjs)$/ }, async ({ path }) => {
      const meta = `metaOf(${JSON.stringify(record(path))})`;
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(/\bimport\.meta(?=\.(?:url|dirname|resolve)\b)/g, meta);
      if (/\bimport\.meta\b/.test(contents)) throw new Error(`${path} uses a part of import.meta that a bundle lacks.`);
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
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

/**
 * Loads `node:http` with `require`. An import would read all its exports, and one of them loads Node's implementation of
 * `fetch`, which takes a tenth of the start.
 */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  setup(bundler) {
    bundler.onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'require-call' ? null : { path: 'node:http', namespace: 'required' },
    );
    bundler.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

for (const path of SETTINGS) record(join(ROOT, path));
const { outputFiles } = await build({
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
  // Node prints the line of an uncaught error, which would be half a megabyte.
  lineLimit: 160,
  legalComments: 'none',
  banner: { js: PROLOGUE },
  plugins: [ownSources, onlyEnglish, httpWithoutFetch],
  logLevel: 'warning',
});

await mkdir(dirname(OUT), { recursive: true });
await rm(SOURCES, { force: true });
// The list also contains the bundle. A bundle that another build replaced, or that is damaged, is therefore not used.
versions.set(basename(OUT), await replace(OUT, asciiOf(outputFiles[0]?.text ?? '')));
await replace(fileURLToPath(SOURCES), JSON.stringify(Object.fromEntries(versions)));

/** Records the version of a file, and returns its path relative to the bundle. */
function record(path: string): string {
  const name = relative(dirname(OUT), path);
  versions.set(name, versionOf(name));
  return name;
}

/**
 * Escapes the characters outside of ASCII that esbuild leaves in regular expressions. One such character makes V8 store
 * the whole bundle with two bytes for each character, which are 6 MB more.
 */
function asciiOf(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces a file atomically, and returns its version. */
async function replace(path: string, contents: string | Uint8Array): Promise<string> {
  const made = `${path}-${process.pid}`;
  try {
    await writeFile(made, contents, { flush: true });
    const version = versionOf(basename(made));
    await rename(made, path);
    return version;
  } finally {
    // On a full disk, an incomplete file would only take more space.
    await rm(made, { force: true });
  }
}
