/** Creates the request bodies with which Docker creates registry containers. */
import { createHash } from 'node:crypto';
import { LABEL, RECIPE_LABEL } from '../../engine/labels.ts';
import { CONFIG_FILE, CONFIG_FOLDER, type ConfigFiles, DRAIN_S, STORAGE_FOLDER } from './config.ts';

/** Docker label with the version of the registry program. */
export const VERSION_LABEL = 'davit.version';

/**
 * Time in seconds after which Docker kills a stopping container. The time must be longer than the registry's own wait
 * for open requests.
 */
export const STOP_TIMEOUT_S = DRAIN_S + 5;

export interface ContainerSettings {
  davitId: string;
  imageId: string;
  /** Paths of the two folders on the server for the registry's configuration and for pushed images. */
  folders: { config: string; storage: string };
  /**
   * User and group that own the registry's files. The daemon runs as the same user and group, so the daemon can read
   * and delete the files.
   */
  owner: { uid: number; gid: number };
}

/**
 * Returns a hash of the container's settings and files. The hash does not reveal secrets. If the hash changes, the
 * container is replaced.
 */
export function recipeOf(settings: ContainerSettings, files: ConfigFiles): string {
  const content = JSON.stringify([serving(settings), files]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** Returns the request body that creates the registry container. */
export function servingRequest(settings: ContainerSettings, files: ConfigFiles, version: string) {
  const request = serving(settings);
  const labels = { [RECIPE_LABEL]: recipeOf(settings, files), [VERSION_LABEL]: version };
  return { ...request, Labels: { ...request.Labels, ...labels } };
}

/**
 * Returns the request body that creates a temporary container. The container runs one registry command on the
 * registry's files.
 */
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
    // Disables OpenTelemetry traces. By default, registry version 3.x sends traces to a collector on the server.
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
