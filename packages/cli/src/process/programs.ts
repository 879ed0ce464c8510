import { spawn } from 'node:child_process';

interface Ended {
  /** Exit code of the program. `null` if a signal ended the program. */
  code: number | null;
  /** Last 65,536 characters of the combined output to stdout and stderr. */
  output: string;
}

interface RunOptions {
  /** Text for stdin of the program. After this text, stdin is closed. */
  input?: string;
  cwd?: string;
  /** All environment variables of the program. Default: the environment variables of the CLI process. */
  env?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** Called with each part of the program's output as soon as the part arrives. */
  onOutput?: (text: string) => void;
}

const KEPT_CHARACTERS = 64 * 1_024;

/**
 * Runs a program without a shell. Arguments must not contain secrets, because other users can see arguments.
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
    /*
     * If a program exits without reading stdin, the pipe reports an error. This error is ignored, because the exit code
     * shows whether the program failed.
     */
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.on('close', (code) => resolve({ code, output }));
  });
}
