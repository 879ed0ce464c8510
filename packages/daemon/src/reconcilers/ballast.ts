/**
 * A file that is nothing but room: on a disk that is full to the last byte SQLite can neither write nor delete, so
 * nobody could even be told to go. Giving the file up makes it work again, without a restart.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';

const MIB = 1024 * 1024;
export const BALLAST_BYTES = 64 * MIB;

/** Below this much free room the disk counts as full. */
const LAST_BYTES = 32 * MIB;
/** It is no use to take room for the ballast that is needed next: there must be many times as much. */
const PLENTY = 16;

export interface Ballast {
  /**
   * Gives the file up on a disk that is full, makes it on one with plenty of room.
   * @returns what was done
   */
  balance(freeBytes: number): Promise<'given up' | 'made' | 'left'>;
}

/** @param bytes how large the file is, 64 MiB unless a test has less room */
export function createBallast(dataDir: string, bytes: number = BALLAST_BYTES): Ballast {
  const path = join(dataDir, 'ballast');
  // A power loss can leave this file behind. It counts as reserved space, and is overwritten or removed with the rest.
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

/** With bytes that no file system can leave out or press together. */
async function fill(file: FileHandle, bytes: number): Promise<void> {
  const piece = randomBytes(Math.min(MIB, bytes));
  for (let written = 0; written < bytes; written += piece.length) {
    await file.write(piece, 0, Math.min(piece.length, bytes - written));
  }
}
