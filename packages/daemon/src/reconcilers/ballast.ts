/**
 * Creates and deletes a file that reserves disk space. On a full disk, SQLite can neither write nor delete rows, so
 * users could not even delete apps. The reserve file is then deleted, and SQLite can write again without a restart.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';

const MIB = 1024 * 1024;
export const BALLAST_BYTES = 64 * MIB;

/** Number of free bytes below which the disk is treated as full. */
const LAST_BYTES = 32 * MIB;
/**
 * Minimum free disk space for creating the reserve file (deleted when the disk is full), as a multiple of the file's
 * size. With less free space, other data would soon need the space.
 */
const PLENTY = 16;

export interface Ballast {
  /**
   * Deletes the reserve file if the disk is full. Creates the reserve file if the disk has much free space.
   * @returns `given up` if the file was deleted, `made` if it was created, `left` if nothing changed
   */
  balance(freeBytes: number): Promise<'given up' | 'made' | 'left'>;
}

/**
 * Returns functions for the reserve file in a data directory. Davit deletes this file when the disk is full, to get
 * free space at once.
 * @param bytes size of the file. Default: 64 MiB. Tests use a smaller size.
 */
export function createBallast(dataDir: string, bytes: number = BALLAST_BYTES): Ballast {
  const path = join(dataDir, 'ballast');
  // An interrupted creation leaves this file. The next creation overwrites it. Davit deletes it when the disk is full.
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

/**
 * Fills a file with random bytes. The file then really occupies its size on the disk, because file systems cannot
 * compress random bytes or store them as a sparse file.
 */
async function fill(file: FileHandle, bytes: number): Promise<void> {
  const piece = randomBytes(Math.min(MIB, bytes));
  for (let written = 0; written < bytes; written += piece.length) {
    await file.write(piece, 0, Math.min(piece.length, bytes - written));
  }
}
