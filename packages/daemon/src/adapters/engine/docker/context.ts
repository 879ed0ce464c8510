import { LABEL } from '../labels.ts';
import type { DockerClient } from './client/client.ts';

export interface Log {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Objects that all code for Docker in the daemon uses: the Docker client, the logger and the Davit instance id. */
export interface DockerContext {
  davitId: string;
  client: DockerClient;
  log: Log;
}

/** Returns the label filter that limits a Docker list request to objects of this Davit instance. */
export function ownFilter(davitId: string): { label: string[] } {
  return { label: [`${LABEL.instance}=${davitId}`] };
}
