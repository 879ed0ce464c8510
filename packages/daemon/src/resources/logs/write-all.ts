/** Part of a file handle that this file uses. */
interface Writable {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
}

/**
 * Writes all bytes at a position. On an almost full disk, the operating system writes only a part without an error. The
 * error comes with the next write.
 */
export async function writeAll(handle: Writable, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
