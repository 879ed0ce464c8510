import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

/**
 * Returns whether an installed package has the content that the lock file names. The hash of a package identifies its
 * content. Its address (`resolved`) does not count, because npm writes or omits the address depending on its settings.
 */
function isAsLocked(wanted, found) {
  const fields = wanted.integrity === undefined ? ['version', 'resolved', 'link'] : ['version', 'integrity'];
  return fields.every((field) => wanted[field] === undefined || found[field] === wanted[field]);
}

/**
 * Returns whether the installed packages match the lock file. npm writes `node_modules/.package-lock.json` at the end
 * of an installation, so the file is missing after an interruption. The files are compared by content, because a fresh
 * checkout changes the times of both. Packages for other platforms are optional and not installed.
 * @param {{ packages: Record<string, Record<string, unknown>> }} wanted package-lock.json
 * @param {{ packages: Record<string, Record<string, unknown>> } | null} installed null if nothing is installed
 */
export function packagesAreCurrent(wanted, installed) {
  if (installed === null) return false;
  for (const [path, entry] of Object.entries(wanted.packages)) {
    if (path === '') continue;
    const found = installed.packages[path];
    if (found === undefined) {
      if (entry.optional !== true) return false;
    } else if (!isAsLocked(entry, found)) return false;
  }
  return true;
}

async function readJson(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : JSON.parse(text);
}

function whyInstallFailed(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
    return new StepFailure(
      'The npm registry could not be reached.',
      'Check the network (and npm\'s "registry" and proxy settings), then run the command again.',
      lastLines(output),
    );
  }
  if (/in sync/.test(output)) {
    const missing = output.match(/(?:Missing|Invalid): .*/g) ?? [];
    return new StepFailure(
      'package-lock.json does not fit the package.json files, so npm does not install from it.',
      'Bring it up to date with "npm install --package-lock-only" and commit it.',
      missing.slice(0, 12).join('\n'),
    );
  }
  if (/ENOSPC/.test(output)) {
    return new StepFailure('The disk is full.', 'Free some space, then run the command again.', lastLines(output));
  }
  if (/EACCES|EPERM/.test(output)) {
    return new StepFailure(
      'npm may not write to node_modules.',
      'Run the command as the owner of this folder, or give the folder to you.',
      lastLines(output),
    );
  }
  return new StepFailure('npm could not install the packages.', 'Its last words are above.', lastLines(output));
}

/**
 * Installs the npm packages if they are missing or do not match the lock file.
 * @param {string} root the repository
 * @returns {Promise<string>} what was done
 */
export async function installPackages(root) {
  const wanted = await readJson(join(root, 'package-lock.json'));
  const installed = await readJson(join(root, 'node_modules', '.package-lock.json'));
  if (packagesAreCurrent(wanted, installed)) return 'already installed';
  const { code, output } = await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root });
  if (code !== 0) throw whyInstallFailed(output);
  return 'installed';
}
