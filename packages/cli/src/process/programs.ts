import { spawn } from 'node:child_process';

interface Ended {
  /** Null: it was ended by a signal. */
  code: number | null;
  /** The end of what it wrote, both outputs together. */
  output: string;
}

interface RunOptions {
  /** Handed in on stdin, which is closed after it. */
  input?: string;
  cwd?: string;
  signal?: AbortSignal;
  /** Hears its output as it comes; absent: it is only kept. */
  onOutput?: (text: string) => void;
}

const KEPT_CHARACTERS = 64 * 1_024;

/**
 * Runs a program of the user's machine to its end. The only place that does: no shell, and no secret among the arguments,
 * which everybody on the machine can read.
 * @returns null when there is no such program
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { input, cwd, signal, onOutput }: RunOptions = {},
): Promise<Ended | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      ...(signal && { signal }),
    });
    let output = '';
    const take = (piece: string) => {
      output = (output + piece).slice(-KEPT_CHARACTERS);
      onOutput?.(piece);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    // A program that ends without reading what it was handed is told by its exit code.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(null) : reject(error)));
    child.on('close', (code) => resolve({ code, output }));
  });
}
