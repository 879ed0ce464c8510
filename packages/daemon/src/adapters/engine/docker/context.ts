import { LABEL } from '../labels.ts';
import type { DockerClient } from './client/client.ts';

export interface Log {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** What every part of the adapter works with. */
export interface DockerContext {
  davitId: string;
  client: DockerClient;
  log: Log;
}

/** The filter of every listing: this Davit's own objects and nothing else. */
export function ownFilter(davitId: string): { label: string[] } {
  return { label: [`${LABEL.instance}=${davitId}`] };
}
