/** Pure functions that create the request bodies with which Docker creates HAProxy containers. */
import { createHash } from 'node:crypto';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { CONFIG_FILE, FOLDER, SOCKET_VARIABLE } from './names.ts';

/** Docker label with the generation number of an HAProxy container. */
export const GENERATION_LABEL = 'davit.generation';

/**
 * Linux capabilities of HAProxy's root process. HAProxy needs them to use ports below 1024, to access the daemon's
 * folder, and to control its unprivileged worker.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];

export interface ContainerSettings {
  davitId: string;
  imageId: string;
  folder: string;
  socketOwner: { uid: number; gid: number } | null;
}

/**
 * Returns a hash of all container settings except the generation number. If the hash changes, the container must be
 * replaced.
 */
export function recipeOf(settings: ContainerSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(template(settings, 0, null)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns the request body that creates an HAProxy container.
 * @param predecessor generation number of the running container whose listening sockets the new container takes over
 */
export function createRequest(settings: ContainerSettings, generation: number, predecessor: number | null) {
  const request = template(settings, generation, predecessor);
  return { ...request, Labels: { ...request.Labels, [RECIPE_LABEL]: recipeOf(settings) } };
}

/**
 * Returns the request body that creates a temporary container. The container only checks the configuration on disk with
 * `haproxy -c`.
 */
export function checkRequest(settings: ContainerSettings) {
  const { HostConfig, ...base } = template(settings, 0, null);
  return {
    ...base,
    Cmd: ['-c', '-f', CONFIG_FILE],
    // The label is `image-check`, because the daemon treats each container with the label `proxy` as a running HAProxy.
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
    // HAProxy starts as root, because only root can use port 80. The HAProxy worker then drops its root privileges.
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
