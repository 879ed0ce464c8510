import type { GroupFile, Limits } from './group.ts';
import type { LogLine } from './logs.ts';

/** A command that runs once in a new container from the image of a release. */
export interface OneOff {
  kind: 'release' | 'run';
  /**
   * Name of the container. A second run with the same name adopts the existing container, so a restart of the daemon
   * does not repeat the command.
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
  /** Files for the container. Default: none. */
  files?: GroupFile[];
}

export interface OneOffResult {
  exitCode: number;
  /** Last {@link ONE_OFF_OUTPUT_BYTES} of stdout and stderr. */
  output: string;
}

export const ONE_OFF_OUTPUT_BYTES = 64 * 1024;

/** Receives each line of a command's output. The next line follows when the returned promise resolves. */
export type TakeLine = (line: LogLine) => void | Promise<void>;
