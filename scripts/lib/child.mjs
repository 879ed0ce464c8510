import { spawn } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

/** Maximum size of a log at the start of a program. A larger log is renamed to `.1` and replaces the previous one. */
const LOG_LIMIT_BYTES = 32 * 1024 ** 2;
const TAIL_BYTES = 16 * 1024;

async function rotate(file) {
  const { size } = await stat(file).catch((error) => {
    if (error.code === 'ENOENT') return { size: 0 };
    throw error;
  });
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
}

/** Returns the end of a file, starting at an offset. */
async function readTail(file, from) {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(from, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(TAIL_BYTES), position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a log for appending, and creates its folder.
 * @param {string} file
 * @param {string} variable environment variable that sets another folder
 * @throws {StepFailure} if this user may not write there, or if the path is not a file
 */
export async function openLog(file, variable = 'DAVIT_DATA_DIR') {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rotate(file);
    return await open(file, 'a', 0o600);
  } catch (error) {
    if (error.code === 'EISDIR')
      throw new StepFailure(
        `${file} is a folder, but a log file is needed there.`,
        'Move it away, then run the command again.',
      );
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR')
      throw new StepFailure(
        `${dirname(file)}, the data directory, is a file or is inside a file.`,
        `Move it away, or name a folder with ${variable}.`,
      );
    if (error.code !== 'EACCES' && error.code !== 'EPERM' && error.code !== 'EROFS') throw error;
    throw new StepFailure(
      `This user may not write to ${dirname(file)}, the data directory.`,
      `Give the folder to this user, or name another one with ${variable}.`,
    );
  }
}

/**
 * Starts a program that reports over a message channel and writes all other output to a log.
 *
 * The program gets its own process group. Otherwise, Ctrl-C would also reach it directly, and a second stop
 * request ends it immediately.
 * @param {string[]} command
 * @param {{ logFile: string, onMessage: (message: Record<string, unknown>) => void, variable?: string }} options
 * `variable`: environment variable that sets another data directory
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, ended: Promise<{ code: number | null, signal:
 * string | null, words: string }> }>} `words`: the log's last lines
 */
export async function startReporting([file, ...args], { logFile, onMessage, variable }) {
  const log = await openLog(logFile, variable);
  const { size } = await log.stat();
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log.fd, log.fd, 'ipc'] });
  await log.close();
  child.on('message', onMessage);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    // At the event `exit`, messages that were sent just before the end may not have been read yet.
    child.on('close', async (code, signal) => {
      resolve({ code, signal, words: lastLines(await readTail(logFile, size)) });
    });
  });
  return { child, ended };
}
