import { LABEL } from '../labels.ts';
import type { DockerClient } from './client/client.ts';

export interface Log {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Docker client, logger and Davit instance id that all parts of the Docker adapter use. */
export interface DockerContext {
  davitId: string;
  client: DockerClient;
  log: Log;
}

/** Returns the label filter that limits a Docker list request to objects of this Davit instance. */
export function ownFilter(davitId: string): { label: string[] } {
  return { label: [`${LABEL.instance}=${davitId}`] };
}
