/** Method `write` of a file handle. Tests replace it. */
interface Writable {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
}

/**
 * Writes all bytes at a position in a file. On an almost full disk, the operating system may write only some of the
 * bytes and report no error. The function then writes the rest. If the disk is full, this write throws an error.
 */
export async function writeAll(handle: Writable, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
