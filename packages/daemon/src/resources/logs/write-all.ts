/** What is written to: a file handle is one. */
interface Writable {
  write(bytes: Buffer, from: number, length: number, at: number): Promise<{ bytesWritten: number }>;
}

/**
 * Writes bytes at a place, all of them: on a disk that is almost full the system takes a part and says so without an
 * error, which comes with the next write.
 */
export async function writeAll(handle: Writable, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
