import type { GroupFile, Limits } from './group.ts';
import type { LogLine } from './logs.ts';

/** A command that runs once in a new container from the image of a release. */
export interface OneOff {
  kind: 'release' | 'run';
  /**
   * Container name. If a container of this name already exists, Davit waits for that container instead of starting the
   * command twice. This happens when the daemon restarts while the command runs.
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

/** Receives each output line of a command. The next line is delivered after the returned promise resolves. */
export type TakeLine = (line: LogLine) => void | Promise<void>;
