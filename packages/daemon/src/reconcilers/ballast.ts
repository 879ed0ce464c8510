/**
 * File that only reserves disk space. If the disk is full, SQLite cannot write, and users could not even delete apps.
 * Davit then deletes this file to free space.
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
 * Factor for the free space that Davit requires before it creates the reserve file. With less free space, other data
 * would soon need the reserved space.
 */
const PLENTY = 16;

export interface Ballast {
  /**
   * Deletes the reserve file if the disk is full. Creates the reserve file if there is much free space.
   * @returns `given up` if the file was deleted, `made` if the file was created, `left` if nothing changed
   */
  balance(freeBytes: number): Promise<'given up' | 'made' | 'left'>;
}

/**
 * Returns an object that manages the reserve file in the data directory.
 * @param bytes size of the file. Tests use a smaller size.
 */
export function createBallast(dataDir: string, bytes: number = BALLAST_BYTES): Ballast {
  const path = join(dataDir, 'ballast');
  // If Davit stops during the write, this partial file remains. The next write replaces the partial file.
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

/** Fills the reserve file with random bytes. File systems could compress other bytes or store them as a sparse file. */
async function fill(file: FileHandle, bytes: number): Promise<void> {
  const piece = randomBytes(Math.min(MIB, bytes));
  for (let written = 0; written < bytes; written += piece.length) {
    await file.write(piece, 0, Math.min(piece.length, bytes - written));
  }
}
