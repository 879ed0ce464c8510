import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { helpPages } from './help-pages.ts';

/** What the daemon answers itself while the pages come from Vite. */
const DAEMON_PATHS = ['/api', '/docs', '/openapi.json', '/oauth/token', '/.well-known', '/mcp'];

const PART_FILES = fileURLToPath(new URL('src/util/part-files.ts', import.meta.url));

/** Small parts that many pages have: in one file, since each file more costs more than what it leaves out. */
const PARTS = /\/dashboard\/src\/(?:ui|util)\/(?!.*-popup\.tsx$)/;

/**
 * Nearly all of the first file runs at once. Browsers that know this comment, which has to come before anything else,
 * compile all of it beside the page while it is loaded, and not piece by piece as it is called.
 */
const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.isEntry) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

/**
 * Puts our own loader in the place of Vite's, whose links make a module that was broken off once a broken one for ever:
 * see `src/util/part-files.ts`.
 */
const loadPartFiles: Plugin = {
  name: 'load-part-files',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadFiles as __vitePreload } from ${JSON.stringify(PART_FILES)};`
      : undefined,
};

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  plugins: [loadPartFiles, helpPages, react(), tailwindcss(), compileAtOnce],
  build: {
    target: 'es2023',
    // A `data:` address in a style would need a hole in the policy.
    assetsInlineLimit: 0,
    // The part itself is fetched first, too; without imports of its own Vite would name none.
    modulePreload: { polyfill: false, resolveDependencies: (part, imports) => [...new Set([part, ...imports])] },
    // A style that a changing network breaks off is never asked for again, unlike a script; there is little of it.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 2 },
            { name: 'parts', test: PARTS, minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
  // The worker that tabs share is a module as everything else.
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(
      DAEMON_PATHS.map((path) => [path, { target: process.env.DAVIT_DEV_DAEMON ?? 'http://127.0.0.1:3000', ws: true }]),
    ),
  },
});
