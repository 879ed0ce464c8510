import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StepFailure } from './steps.mjs';

const GIB = 1024 ** 3;
/**
 * Minimum free space in bytes. With less space, an image or a database page may not fit, and the operation fails
 * halfway.
 */
const NEEDED_BYTES = GIB;

/** Returns the free space in bytes at a path, which need not exist yet. */
export async function freeBytes(path) {
  for (let at = path; ; at = dirname(at)) {
    const stats = await statfs(at).catch((error) => {
      if (error.code === 'ENOENT' && at !== '/') return null;
      throw error;
    });
    if (stats !== null) return stats.bavail * stats.bsize;
  }
}

/**
 * Checks the free space.
 * @param {string[]} paths folders that will be written to
 * @returns {Promise<string>} the smallest free space
 * @throws {StepFailure} with the fullest folder
 */
export async function checkDisk(paths) {
  let least = { path: '', free: Number.POSITIVE_INFINITY };
  for (const path of paths) {
    const free = await freeBytes(path);
    if (free < least.free) least = { path, free };
  }
  if (least.free < NEEDED_BYTES) {
    throw new StepFailure(
      `The disk under ${least.path} has only ${Math.floor(least.free / 1024 ** 2)} MiB free; 1 GiB is needed.`,
      'Free some space ("docker image prune" removes images without a name), then run the command again.',
    );
  }
  return `${Math.floor(least.free / GIB)} GiB free`;
}
