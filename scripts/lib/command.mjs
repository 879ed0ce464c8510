import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';

/** Returns the last lines of a program's output, enough to see why it failed. */
export function lastLines(text, count = 12) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * Runs a program and waits for its end, without a shell and without a terminal.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number | null, output: string, stdout: string }>} `code` is null if the program is missing
 * or a signal ended it; `output` has both streams in the order of their arrival
 */
export function execute(file, args, { cwd, env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs, killSignal: 'SIGKILL' }),
    });
    let output = '';
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}`, stdout }));
    child.on('close', (code) => resolve({ code, output, stdout }));
  });
}

/** Returns the path of a program on the `PATH` or in the folders of system programs, or null if it is missing. */
export async function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
  for (const folder of folders) {
    if (folder === '') continue;
    const file = `${folder}/${name}`;
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return null;
}
