/** The registry's containers: what they are and what they may. Pure. */
import { createHash } from 'node:crypto';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { CONFIG_FILE, CONFIG_FOLDER, type ConfigFiles, DRAIN_S, STORAGE_FOLDER } from './config.ts';

/** What the program says that it is. */
export const VERSION_LABEL = 'davit.version';

/** Beyond what it drains for. */
export const STOP_TIMEOUT_S = DRAIN_S + 5;

export interface ContainerSettings {
  davitId: string;
  imageId: string;
  /** On the host: the folder with the configuration, and the one with what was pushed. */
  folders: { config: string; storage: string };
  /** Whose files they are: the daemon's own user, so that it reads and removes what the registry wrote. */
  owner: { uid: number; gid: number };
}

/** The hash of all that makes the container what it is; it tells nothing of the secrets in it. */
export function recipeOf(settings: ContainerSettings, files: ConfigFiles): string {
  const content = JSON.stringify([serving(settings), files]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** The body of the create request of the container that serves. */
export function servingRequest(settings: ContainerSettings, files: ConfigFiles, version: string) {
  const request = serving(settings);
  const labels = { [RECIPE_LABEL]: recipeOf(settings, files), [VERSION_LABEL]: version };
  return { ...request, Labels: { ...request.Labels, ...labels } };
}

/** The body of the create request of one that runs the same program once, on the same files. */
export function onceRequest(settings: ContainerSettings, command: string[]) {
  const { HostConfig, ...base } = template(settings, command);
  return { ...base, HostConfig: { ...HostConfig, NetworkMode: 'none' } };
}

function serving(settings: ContainerSettings) {
  const { HostConfig, ...base } = template(settings, ['serve', CONFIG_FILE]);
  return {
    ...base,
    StopTimeout: STOP_TIMEOUT_S,
    HostConfig: { ...HostConfig, NetworkMode: 'host', RestartPolicy: { Name: 'always' } },
  };
}

function template({ davitId, imageId, folders, owner }: ContainerSettings, command: string[]) {
  return {
    Image: imageId,
    Cmd: command,
    User: `${owner.uid}:${owner.gid}`,
    // 3.x sends traces to a collector on this machine unless told not to.
    Env: ['OTEL_TRACES_EXPORTER=none'],
    Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'registry' },
    HostConfig: {
      Init: true,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Memory: 512 * 1024 ** 2,
      PidsLimit: 256,
      Mounts: [
        { Type: 'bind', Source: folders.config, Target: CONFIG_FOLDER, ReadOnly: true },
        { Type: 'bind', Source: folders.storage, Target: STORAGE_FOLDER },
      ],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
    },
  };
}
