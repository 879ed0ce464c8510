import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What the daemon answers itself while the pages come from Vite. */
const DAEMON_PATHS = ['/api', '/docs', '/openapi.json', '/oauth/token', '/.well-known', '/mcp'];

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: 'es2023',
    // A `data:` address in a style would need a hole in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  // The worker that tabs share is a module as everything else.
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(
      DAEMON_PATHS.map((path) => [path, { target: process.env.DAVIT_DEV_DAEMON ?? 'http://127.0.0.1:3000', ws: true }]),
    ),
  },
});
