import { spawn } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lastLines } from './command.mjs';
import { StepFailure } from './steps.mjs';

/** A log that is larger when a program starts is put aside, as `.1`, in place of the one before. */
const LOG_LIMIT_BYTES = 32 * 1024 ** 2;
const TAIL_BYTES = 16 * 1024;

async function rotate(file) {
  const { size } = await stat(file).catch((error) => {
    if (error.code === 'ENOENT') return { size: 0 };
    throw error;
  });
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
}

/** The end of what was written to a file from an offset on. */
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
 * Opens a log for appending, with its folder.
 * @param {string} file
 * @param {string} variable what names another folder
 * @throws {StepFailure} when this user may not write there, or something else is there
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
 * Starts a program that reports over a channel of messages and writes everything else to a log.
 *
 * It gets a process group of its own: Ctrl-C goes to everything in the terminal's group, and a program that is told to
 * stop twice takes the second time for impatience.
 * @param {string[]} command
 * @param {{ logFile: string, onMessage: (message: Record<string, unknown>) => void, variable?: string }} options
 *   `variable`: what names another data directory
 * @returns {Promise<{ child: import('node:child_process').ChildProcess,
 *   ended: Promise<{ code: number | null, signal: string | null, words: string }> }>} `words`: the log's last lines
 */
export async function startReporting([file, ...args], { logFile, onMessage, variable }) {
  const log = await openLog(logFile, variable);
  const { size } = await log.stat();
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log.fd, log.fd, 'ipc'] });
  await log.close();
  child.on('message', onMessage);
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    // Not "exit": messages sent just before the end are still to be read then.
    child.on('close', async (code, signal) => {
      resolve({ code, signal, words: lastLines(await readTail(logFile, size)) });
    });
  });
  return { child, ended };
}
