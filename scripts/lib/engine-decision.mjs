/** Decides how to get a container engine. This module has no input or output, so that every branch can be tested. */

/** Oldest supported API version. 1.41 is Docker 20.10, which Debian 11 and 12 and Ubuntu 22.04 have. */
const OLDEST_API = [1, 41];

function isTooOld(apiVersion) {
  const [major = 0, minor = 0] = apiVersion.split('.').map(Number);
  return major < OLDEST_API[0] || (major === OLDEST_API[0] && minor < OLDEST_API[1]);
}

/**
 * Decides what to do about the engine.
 * @param {{ answer: { version: string, apiVersion: string } | { problem: string }, place: string, chosen: boolean,
 * isRoot: boolean, hasDockerd: boolean, hasApt: boolean, hasSystemd: boolean, }} seen `place`: address of the engine;
 * `chosen`: DOCKER_HOST sets it
 * @returns {{ kind: 'use', version: string } | { kind: 'start' | 'install', systemd: boolean } | { kind: 'none' |
 * 'refuse', why: string, advice: string }} `none`: this machine cannot have an engine, but some commands work without
 * it; `refuse`: the user must correct something
 */
export function decideEngine({ answer, place, chosen, isRoot, hasDockerd, hasApt, hasSystemd }) {
  if ('apiVersion' in answer) {
    if (!isTooOld(answer.apiVersion)) return { kind: 'use', version: answer.version };
    return {
      kind: 'refuse',
      why: `The Docker Engine at ${place} is ${answer.version} (API ${answer.apiVersion}); API ${OLDEST_API.join('.')} is needed.`,
      advice: 'Upgrade it to Docker Engine 20.10 or newer.',
    };
  }
  if (chosen) {
    return {
      kind: 'refuse',
      why: `No Docker Engine answers at ${place}, which DOCKER_HOST names (${answer.problem}).`,
      advice: 'Start it there, or unset DOCKER_HOST to use this machine’s own.',
    };
  }
  if (!isRoot && (answer.problem === 'EACCES' || answer.problem === 'EPERM')) {
    return {
      kind: 'none',
      why: `This user may not use the Docker Engine at ${place}.`,
      advice: 'Run as root, or join the group docker ("usermod -aG docker <user>") and log in again.',
    };
  }
  if (!isRoot && hasDockerd) {
    return {
      kind: 'none',
      why: 'The Docker Engine is installed but does not run, and only root can start it.',
      advice: 'Start it as root ("systemctl start docker"), or run the command as root.',
    };
  }
  if (!isRoot) {
    return {
      kind: 'none',
      why: `No Docker Engine answers at ${place}, and only root can install one.`,
      advice: 'Run the command as root, or have Docker Engine 20.10 or newer installed ("apt-get install docker.io").',
    };
  }
  if (hasDockerd) return { kind: 'start', systemd: hasSystemd };
  if (hasApt) return { kind: 'install', systemd: hasSystemd };
  return {
    kind: 'none',
    why: `No Docker Engine answers at ${place}, and this machine has no apt-get to install one with.`,
    advice: 'Install Docker Engine 20.10 or newer with the package manager of this machine.',
  };
}
