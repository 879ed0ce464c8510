import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runtimePath } from './runtime.mjs';

/**
 * Runs a script with the pinned runtime in this terminal, and waits for its end.
 * @param {string} root the repository
 * @param {string} script path relative to the repository
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export function handOver(root, script, args) {
  const child = spawn(runtimePath(root), [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  // The script ends its own child processes on a signal. This process only has to run longer, to return the exit code.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
