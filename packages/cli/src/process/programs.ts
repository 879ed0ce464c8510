import { spawn } from 'node:child_process';

interface Ended {
  /** Exit code of the program, or `null` if a signal ended it. */
  code: number | null;
  /** Last 64 KiB of characters of stdout and stderr together. */
  output: string;
}

interface RunOptions {
  /** Text for stdin of the program. Stdin is closed after the text. */
  input?: string;
  cwd?: string;
  /** All environment variables of the program. Default: those of the CLI. */
  env?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** Receives the output of the program as it arrives. */
  onOutput?: (text: string) => void;
}

const KEPT_CHARACTERS = 64 * 1_024;

/**
 * Runs a program on the user's machine and waits for its end. No shell is used. Arguments must not contain secrets,
 * because other users of the machine can see them.
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
    // A program can exit without reading stdin. This causes a pipe error, which is ignored: the exit code reports the
    // problem.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.on('close', (code) => resolve({ code, output }));
  });
}
