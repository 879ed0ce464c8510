import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { helpPages } from './help-pages.ts';

/** URL paths that the Vite development server forwards to the daemon. Vite serves all other paths. */
const DAEMON_PATHS = ['/api', '/docs', '/openapi.json', '/oauth/token', '/.well-known', '/mcp'];

const PART_FILES = fileURLToPath(new URL('src/util/part-files.ts', import.meta.url));

/**
 * Matches small modules that many pages import. The build puts these modules into one file, because one larger file
 * loads faster than many small files.
 */
const PARTS = /\/dashboard\/src\/(?:ui|util)\/(?!.*-popup\.tsx$)/;

/**
 * Matches modules that several pages of an app import. The build puts these modules into one file. More files would
 * need more requests, and requests are slow on phones.
 */
const APP_PARTS = /\/dashboard\/src\/components\/(?:app|deployments)\//;

/**
 * Adds a comment that makes browsers compile all functions while the page loads. The page loads faster, because nearly
 * all functions run at the start.
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
 * Replaces Vite's module loader, which cannot load a module again after an interrupted download. See
 * `src/util/part-files.ts`.
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
    // Do not inline assets as `data:` URLs, because the content security policy forbids such URLs in style sheets.
    assetsInlineLimit: 0,
    /*
     * Add each loaded file to the list of files that the browser preloads. By default, Vite does not add files without
     * imports.
     */
    modulePreload: { polyfill: false, resolveDependencies: (part, imports) => [...new Set([part, ...imports])] },
    /*
     * Put all CSS into one file that is loaded with the page. If CSS were loaded later and the download failed, the
     * browser would not repeat the download.
     */
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 2 },
            { name: 'parts', test: PARTS, minShareCount: 3, priority: 1 },
            { name: 'app', test: APP_PARTS, minShareCount: 3 },
          ],
        },
      },
    },
  },
  // Build the shared worker as an ES module, like all other code.
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(
      DAEMON_PATHS.map((path) => [path, { target: process.env.DAVIT_DEV_DAEMON ?? 'http://127.0.0.1:3000', ws: true }]),
    ),
  },
});
