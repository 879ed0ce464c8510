import { open } from 'node:fs/promises';

/**
 * Returns the first bytes of a file in a separate buffer. `readFile` may return a part of a larger shared buffer, whose
 * memory cannot be freed separately.
 */
export async function readStart(path: string, bytes: number): Promise<Buffer> {
  await using handle = await open(path, 'r');
  const content = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(content, at, bytes - at, at);
    if (bytesRead === 0) return content.subarray(0, at);
    at += bytesRead;
  }
  return content;
}
