/** Plugins and options of esbuild for the servers of Davit: daemon and catalog. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** Code of a bundle before all modules. Its names must not occur in the modules. */
const PROLOGUE = [
  "import { createRequire as createBundleRequire } from 'node:module';",
  "import { fileURLToPath as bundlePathOf } from 'node:url';",
  // Some packages are CommonJS and load modules of Node with `require`.
  'const require = createBundleRequire(import.meta.url);',
  // A module finds its scripts and workers next to its source, not next to the bundle.
  'const metaOf = (path) => {',
  '  const url = new URL(path, import.meta.url);',
  "  return { url: url.href, dirname: bundlePathOf(new URL('.', url)), resolve: import.meta.resolve };",
  '};',
].join('\n');

/** Options of all bundles of servers. `outfile` and `plugins` differ. */
export const SERVER_BUNDLE = {
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
  logLevel: 'warning',
} as const satisfies BuildOptions;

/**
 * Replaces the `import.meta` of each source of Davit by the same data of its own file.
 * @param locate returns the path of a source relative to the bundle
 * @param prepare changes the text of a source first
 */
export function ownSources(
  locate: (path: string) => string,
  prepare: (text: string, path: string) => string = (text) => text,
): Plugin {
  return {
    name: 'own-sources',
    setup(bundler) {
      bundler.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.(ts|mjs)$/ }, async ({ path }) => {
        const meta = `metaOf(${JSON.stringify(locate(path))})`;
        const source = prepare(await readFile(path, 'utf8'), path);
        const contents = source.replaceAll(/\bimport\.meta(?=\.(?:url|dirname|resolve)\b)/g, meta);
        if (/\bimport\.meta\b/.test(contents))
          throw new Error(`${path} uses a part of import.meta that a bundle lacks.`);
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

/** Keeps only the English messages of zod, because Davit uses no others. The fifty languages are 300 KB. */
export const onlyEnglish: Plugin = {
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
export const httpWithoutFetch: Plugin = {
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

/**
 * Escapes the characters outside of ASCII that esbuild leaves in regular expressions. One such character makes V8 store
 * the whole bundle with two bytes for each character, which are 6 MB more.
 */
export function asciiOf(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
