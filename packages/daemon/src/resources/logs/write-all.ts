/** Method `write` of a file handle. Tests replace this method. */
interface Writable {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
}

/**
 * Writes all bytes at a position in a file. If the disk is almost full, a single write may store only some bytes and
 * return no error.
 */
export async function writeAll(handle: Writable, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
