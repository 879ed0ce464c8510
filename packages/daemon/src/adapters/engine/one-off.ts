import type { GroupFile, Limits } from './group.ts';
import type { LogLine } from './logs.ts';

/** Command that runs once in a new container of a release's image. */
export interface OneOff {
  kind: 'release' | 'run';
  /**
   * Container name. If the daemon restarts while the command runs, it finds the running container by this name. It then
   * waits for this container and does not run the command again.
   */
  name: string;
  app: string;
  deployment: number;
  imageId: string;
  network: string;
  env: Record<string, string>;
  command: string[];
  limits: Limits;
  volumes: { name: string; path: string }[];
  /** Files that are written into the container before the command starts. Default: none. */
  files?: GroupFile[];
}

export interface OneOffResult {
  exitCode: number;
  /** Last 64 KiB of stdout and stderr. */
  output: string;
}

export const ONE_OFF_OUTPUT_BYTES = 64 * 1024;

/**
 * Callback that receives each output line of a command. The next line is passed after the returned promise resolves.
 */
export type TakeLine = (line: LogLine) => void | Promise<void>;
