import type { Readable, Writable } from 'node:stream';
import { type Environment, environmentOfProcess } from './env.ts';

/** Output stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };
type Input = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

/** Streams, environment variables and network access of the CLI process. Tests replace them with their own. */
export interface Runtime {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Environment;
  cwd: string;
  /** Signal that is aborted when the user presses Ctrl-C. */
  signal: AbortSignal;
  /** Function that sends HTTP requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export function runtimeOfProcess(signal: AbortSignal): Runtime {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, env: environmentOfProcess(), cwd: process.cwd(), signal };
}
