#!/usr/bin/env node
/**
 * What `davit` starts: the bundle when installed from a package; in the repository the sources themselves, under the
 * project's own runtime, since the Node on the path may be one that runs no TypeScript.
 */
import { existsSync } from 'node:fs';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) await runSources();
else await import('../dist/davit.mjs');

async function runSources() {
  const { spawn } = await import('node:child_process');
  const { fileURLToPath } = await import('node:url');
  const runtime = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
  const child = spawn(runtime, [fileURLToPath(source), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both: the command decides what it means, and this process waits for its end.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    console.error('The project’s runtime is not installed: run «npm ci --ignore-scripts» in the repository first.');
    process.exitCode = 1;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
