import { readdir } from 'node:fs/promises';
import { execute, findProgram, lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

const ENV = { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
/** Time in seconds to wait for another installation, such as unattended upgrades. */
const LOCK_WAIT_S = 60;
const INSTALL = ['-o', `DPkg::Lock::Timeout=${LOCK_WAIT_S}`, '-y', '--no-install-recommends'];

export async function hasApt() {
  return (await findProgram('apt-get')) !== null;
}

/**
 * Returns the failure that the output of apt describes.
 * @param {string} output of apt-get, in the language C
 * @param {string[]} packages
 */
export function explainApt(output, packages) {
  const names = packages.join(', ');
  const words = lastLines(output);
  const lock = /lock.*?(?:held by process (\d+)(?: \(([^)]+)\))?)|Unable to acquire the dpkg/i.exec(output);
  if (lock) {
    const holder = lock[1] ? ` (process ${lock[1]}${lock[2] ? `, ${lock[2]}` : ''})` : '';
    return new StepFailure(
      `Another program${holder} is installing packages, and was not done within ${LOCK_WAIT_S} s.`,
      'Wait until it is done, then run the command again.',
      words,
    );
  }
  if (/dpkg was interrupted/i.test(output)) {
    return new StepFailure(
      'An earlier installation of packages was interrupted.',
      'Run "dpkg --configure -a", then the command again.',
      words,
    );
  }
  if (/No space left on device|enough free space/i.test(output)) {
    return new StepFailure(
      `The disk is too full to install ${names}.`,
      'Free some space, then run the command again.',
      words,
    );
  }
  const NETWORK = /Temporary failure resolving|Could not resolve|Could not connect|Network is unreachable|timed out/i;
  if (NETWORK.test(output)) {
    return new StepFailure(
      `The package server could not be reached, so ${names} could not be installed.`,
      "Check the network (and apt's proxy settings), then run the command again.",
      words,
    );
  }
  return new StepFailure(`apt-get could not install ${names}.`, 'Its last words are above.', words);
}

async function knowsPackages() {
  const lists = await readdir('/var/lib/apt/lists').catch(() => []);
  return lists.some((name) => name.includes('_Packages'));
}

/**
 * Installs packages of the distribution. Updates the lists of apt only if they are missing or outdated.
 * @param {string[]} packages
 * @throws {StepFailure}
 */
export async function installWithApt(packages) {
  const install = () => execute('apt-get', ['install', ...INSTALL, ...packages], { env: ENV });
  const update = () => execute('apt-get', ['update'], { env: ENV });
  let said = '';
  if (await knowsPackages()) {
    const first = await install();
    if (first.code === 0) return;
    said = first.output;
    if (!/Unable to locate package|no installation candidate|404\s+Not Found/i.test(said)) {
      throw explainApt(said, packages);
    }
  }
  // `apt-get update` exits with 0 even if it fetched nothing, so its output may explain the failure that follows.
  said = (await update()).output;
  const second = await install();
  if (second.code !== 0) throw explainApt(`${said}\n${second.output}`, packages);
}

/**
 * Makes programs of the distribution available.
 * @param {Record<string, string>} programs program name → package name
 * @returns {Promise<string>} what was done
 */
export async function ensurePrograms(programs) {
  const missing = [];
  for (const [program, name] of Object.entries(programs)) {
    if ((await findProgram(program)) === null) missing.push(name);
  }
  if (missing.length === 0) return 'already installed';
  if (process.getuid?.() !== 0 || !(await hasApt())) {
    throw new StepFailure(
      `${missing.join(', ')} is not installed.`,
      'Install it with the package manager of this machine (as root), then run the command again.',
    );
  }
  await installWithApt(missing);
  return `installed ${missing.join(', ')}`;
}
