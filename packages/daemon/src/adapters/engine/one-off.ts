import type { GroupFile, Limits } from './group.ts';
import type { LogLine } from './logs.ts';

/** Command that runs once in a new container from the image of a release. */
export interface OneOff {
  kind: 'release' | 'run';
  /**
   * Container name. After a restart, the daemon finds the running container by its name. The daemon then waits for this
   * container instead of running the command again.
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
  /** Last 64 KiB of the command's stdout and stderr. */
  output: string;
}

export const ONE_OFF_OUTPUT_BYTES = 64 * 1024;

/** Callback that receives each output line of a command. The next line is passed when the returned promise resolves. */
export type TakeLine = (line: LogLine) => void | Promise<void>;
