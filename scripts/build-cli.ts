/**
 * Bundles the command line into plain JavaScript that any Node from 20 on runs, with nothing else to install: what
 * `npm pack` in `packages/cli` puts into the package.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'packages/cli/dist');

// Parts of an earlier build have other names.
await rm(outdir, { recursive: true, force: true });

await build({
  entryPoints: { davit: join(root, 'packages/cli/src/main.ts') },
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
  legalComments: 'none',
  // Some of what is bundled is CommonJS and asks for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as davitRequire } from 'node:module'; const require = davitRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
