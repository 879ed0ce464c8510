import { LABEL } from '../labels.ts';
import type { DockerClient } from './client/client.ts';

export interface Log {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Objects that all of the daemon's Docker code needs: the Docker client, the logger and the Davit instance id. */
export interface DockerContext {
  davitId: string;
  client: DockerClient;
  log: Log;
}

/**
 * Returns the label filter for Docker's list requests. With the filter, Docker lists only objects of this Davit
 * instance.
 */
export function ownFilter(davitId: string): { label: string[] } {
  return { label: [`${LABEL.instance}=${davitId}`] };
}
