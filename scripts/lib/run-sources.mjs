/** Runs a command of this project in the repository: its source files, with the project's own runtime. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUNTIME = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

/** Runs a source file instead of this process, because the Node on the PATH may not support TypeScript. */
export function runSources(source) {
  const child = spawn(RUNTIME, [fileURLToPath(source), ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes. The command handles it, and this process waits for its end.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    console.error('The project’s runtime is not installed: run “npm ci --ignore-scripts” in the repository first.');
    process.exitCode = 1;
  });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
