import type { GroupFile, Limits } from './group.ts';
import type { LogLine } from './logs.ts';

/** A command that runs once, to its end, in a container of its own from a release's image. */
export interface OneOff {
  kind: 'release' | 'run';
  /** Its container's name: a second run under the same name adopts what the first began, so a restart repeats nothing. */
  name: string;
  app: string;
  deployment: number;
  imageId: string;
  network: string;
  env: Record<string, string>;
  command: string[];
  limits: Limits;
  volumes: { name: string; path: string }[];
  /** Absent: none. */
  files?: GroupFile[];
}

export interface OneOffResult {
  exitCode: number;
  /** stdout and stderr as written, the last {@link ONE_OFF_OUTPUT_BYTES}. */
  output: string;
}

export const ONE_OFF_OUTPUT_BYTES = 64 * 1024;

/** Is told each line of a command as it is written, and of the next one when it is done with it. */
export type TakeLine = (line: LogLine) => void | Promise<void>;
