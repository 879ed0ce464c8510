/** The proxy's container: what it is and what it may. Pure. */
import { createHash } from 'node:crypto';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { CONFIG_FILE, FOLDER, SOCKET_VARIABLE } from './names.ts';

/** Counts the containers that followed each other. */
export const GENERATION_LABEL = 'davit.generation';

/**
 * What the proxy does as root before its worker drops it: listen on a low port, read and give sockets away in a folder
 * that is the daemon's, become another user and signal it.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];

export interface ContainerSettings {
  davitId: string;
  imageId: string;
  /** The proxy's folder on the host. */
  folder: string;
  socketOwner: { uid: number; gid: number } | null;
}

/** The hash of all that makes a container what it is, but its number. */
export function recipeOf(settings: ContainerSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(template(settings, 0, null)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * The body of the create request.
 * @param predecessor the generation that gives its listening sockets; null when none runs
 */
export function createRequest(settings: ContainerSettings, generation: number, predecessor: number | null) {
  const request = template(settings, generation, predecessor);
  return { ...request, Labels: { ...request.Labels, [RECIPE_LABEL]: recipeOf(settings) } };
}

/** The body of the create request of a container that only judges the configuration on disk. */
export function checkRequest(settings: ContainerSettings) {
  const { HostConfig, ...base } = template(settings, 0, null);
  return {
    ...base,
    Cmd: ['-c', '-f', CONFIG_FILE],
    // Not of the kind of those that serve, which are adopted and retired.
    Labels: { [LABEL.instance]: settings.davitId, [LABEL.kind]: 'image-check' },
    HostConfig: {
      ...HostConfig,
      NetworkMode: 'none',
      Mounts: HostConfig.Mounts.map((mount) => ({ ...mount, ReadOnly: true })),
    },
  };
}

function template(
  { davitId, imageId, folder, socketOwner }: ContainerSettings,
  generation: number,
  predecessor: number | null,
) {
  const owner = socketOwner === null ? '' : `,uid,${socketOwner.uid},gid,${socketOwner.gid}`;
  const takeOver = predecessor === null ? [] : ['-x', `${FOLDER}/${predecessor}.sock`];
  return {
    Image: imageId,
    Entrypoint: ['haproxy'],
    Cmd: ['-W', '-db', '-f', CONFIG_FILE, '-S', `${FOLDER}/${generation}-master.sock,mode,600${owner}`, ...takeOver],
    // An image may name a user that cannot listen on port 80; the configuration drops root for the worker.
    User: '0:0',
    Env: [`${SOCKET_VARIABLE}=${FOLDER}/${generation}.sock`],
    StopSignal: 'SIGTERM',
    Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'proxy', [GENERATION_LABEL]: String(generation) },
    HostConfig: {
      NetworkMode: 'host',
      CapDrop: ['ALL'],
      CapAdd: CAPABILITIES,
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Mounts: [{ Type: 'bind', Source: folder, Target: FOLDER }],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
    },
  };
}
