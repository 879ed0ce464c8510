/** How a command of ours runs in the repository: its sources, under the project's own runtime. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUNTIME = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));

/** Runs a source file in place of this process, since the Node on the path may be one that runs no TypeScript. */
export function runSources(source) {
  const child = spawn(RUNTIME, [fileURLToPath(source), ...process.argv.slice(2)], { stdio: 'inherit' });
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
