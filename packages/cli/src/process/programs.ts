import { spawn } from 'node:child_process';

interface Ended {
  /** Exit code, or `null` if a signal ended the program. */
  code: number | null;
  /** End of the output, stdout and stderr together. */
  output: string;
}

interface RunOptions {
  /** Input for stdin, which is closed after it. */
  input?: string;
  cwd?: string;
  /** Complete environment of the program. Default: that of this process. */
  env?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** Receives the output as it arrives. By default, the output is only stored. */
  onOutput?: (text: string) => void;
}

const KEPT_CHARACTERS = 64 * 1_024;

/**
 * Runs a program of the user's machine to its end. All programs are started here, without a shell and without secrets
 * in arguments, which other users of the machine can read.
 * @returns `null` if the program does not exist
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { input, cwd, env, signal, onOutput }: RunOptions = {},
): Promise<Ended | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      ...(env && { env }),
      ...(signal && { signal }),
    });
    let output = '';
    const take = (piece: string) => {
      output = (output + piece).slice(-KEPT_CHARACTERS);
      onOutput?.(piece);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    // A program that ends without reading its input reports this with its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.on('close', (code) => resolve({ code, output }));
  });
}
