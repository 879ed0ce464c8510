import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runtimePath } from './runtime.mjs';

/**
 * Hands over to a script under the pinned runtime, with this terminal, and stays until it ends.
 * @param {string} root the repository
 * @param {string} script relative to it
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export function handOver(root, script, args) {
  const child = spawn(runtimePath(root), [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  // It ends its own children on a signal; this process only has to outlive it to report its code.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
