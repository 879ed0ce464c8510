import type { Readable, Writable } from 'node:stream';
import { type Environment, environmentOfProcess } from './env.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };
type Input = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

/** Everything outside of the command. Tests provide their own. */
export interface World {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Environment;
  cwd: string;
  /** Signal that Ctrl-C aborts. */
  signal: AbortSignal;
  /** Function for network requests. Default: `fetch` of the runtime. */
  fetch?: typeof globalThis.fetch;
}

export function worldOfProcess(signal: AbortSignal): World {
  const { stdin, stdout, stderr } = process;
  return { stdin, stdout, stderr, env: environmentOfProcess(), cwd: process.cwd(), signal };
}
