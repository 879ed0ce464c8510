#!/usr/bin/env node
/**
 * What `davit` starts: the bundle when installed from a package; in the repository the sources themselves, under the
 * project's own runtime, since the Node on the path may be one that runs no TypeScript.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const runtime = new URL('../../../node_modules/.bin/node', import.meta.url).pathname;
  const child = spawn(runtime, [source.pathname, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both: the command decides what it means, and this process waits for its end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal);
    });
  }
  child.on('error', () => {
    console.error('The project’s runtime is not installed: run «npm ci --ignore-scripts» in the repository first.');
    process.exitCode = 1;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  await import('../dist/davit.mjs');
}
