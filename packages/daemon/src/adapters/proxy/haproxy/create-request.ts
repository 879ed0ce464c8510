/** Settings and permissions of the proxy's container. Pure. */
import { createHash } from 'node:crypto';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { CONFIG_FILE, FOLDER, SOCKET_VARIABLE } from './names.ts';

/** Label with the number of the generation. */
export const GENERATION_LABEL = 'davit.generation';

/**
 * Capabilities that the proxy needs as root before the worker drops them. The proxy listens on a low port. The proxy
 * reads files and changes the owner of sockets in the daemon's folder. The proxy also starts and signals processes of
 * another user.
 */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];

export interface ContainerSettings {
  davitId: string;
  imageId: string;
  /** Folder of the proxy on the host. */
  folder: string;
  socketOwner: { uid: number; gid: number } | null;
}

/** Returns a hash of all settings that define a container, without its number. */
export function recipeOf(settings: ContainerSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(template(settings, 0, null)))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Returns the body of the create request.
 * @param predecessor generation that hands over its listening sockets, or `null` if none runs
 */
export function createRequest(settings: ContainerSettings, generation: number, predecessor: number | null) {
  const request = template(settings, generation, predecessor);
  return { ...request, Labels: { ...request.Labels, [RECIPE_LABEL]: recipeOf(settings) } };
}

/** Returns the body of the create request for a container that only checks the configuration on disk. */
export function checkRequest(settings: ContainerSettings) {
  const { HostConfig, ...base } = template(settings, 0, null);
  return {
    ...base,
    Cmd: ['-c', '-f', CONFIG_FILE],
    // This container must not have the label of serving containers, which are adopted and retired.
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
    // An image may set a user that cannot listen on port 80. The configuration drops root for the worker.
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
