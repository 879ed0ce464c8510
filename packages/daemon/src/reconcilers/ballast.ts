/**
 * A file that reserves disk space. On a full disk SQLite can neither write nor delete, so users could not even remove
 * apps. Deleting the file makes SQLite work again without a restart.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';

const MIB = 1024 * 1024;
export const BALLAST_BYTES = 64 * MIB;

/** Free space in bytes below which the disk counts as full. */
const LAST_BYTES = 32 * MIB;
/**
 * Free space that is needed to create the ballast, as a multiple of its size. With less free space, the ballast would
 * take space that is needed soon.
 */
const PLENTY = 16;

export interface Ballast {
  /**
   * Deletes the file on a full disk, or creates it on a disk with plenty of free space.
   * @returns what was done
   */
  balance(freeBytes: number): Promise<'given up' | 'made' | 'left'>;
}

/**
 * Creates the ballast of a data directory.
 * @param bytes size of the file. Default: 64 MiB. Tests with less space use a smaller size.
 */
export function createBallast(dataDir: string, bytes: number = BALLAST_BYTES): Ballast {
  const path = join(dataDir, 'ballast');
  // A power loss can leave this file behind. The file counts as reserved space, and is overwritten or removed with the
  // rest.
  const draft = `${path}.partial`;
  const size = () =>
    stat(path).then(
      (found) => found.size,
      () => null,
    );
  return {
    async balance(freeBytes) {
      const present = await size();
      if (freeBytes < Math.min(LAST_BYTES, bytes / 2)) {
        await rm(draft, { force: true });
        if (present === null) return 'left';
        await rm(path, { force: true });
        return 'given up';
      }
      if (present === bytes || freeBytes < bytes * PLENTY) return 'left';
      await replaceDurably(path, (file) => fill(file, bytes), { draft });
      return 'made';
    },
  };
}

/** Fills a file with random bytes, which no file system can compress or store as a hole. */
async function fill(file: FileHandle, bytes: number): Promise<void> {
  const piece = randomBytes(Math.min(MIB, bytes));
  for (let written = 0; written < bytes; written += piece.length) {
    await file.write(piece, 0, Math.min(piece.length, bytes - written));
  }
}
