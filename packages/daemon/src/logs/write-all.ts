import type { FileHandle } from 'node:fs/promises';

/**
 * Writes bytes at a place, all of them: on a disk that is almost full the system takes a part and says so without an
 * error, which comes with the next write.
 */
export async function writeAll(handle: Pick<FileHandle, 'write'>, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
