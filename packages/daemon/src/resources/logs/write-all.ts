/** Method `write` of a file handle. Tests replace it. */
interface Writable {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
}

/**
 * Writes all bytes at a position in a file. On an almost full disk, one write may store only some bytes without an
 * error.
 */
export async function writeAll(handle: Writable, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
