import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps compiled code in the data directory, so that only the first start of a server compiles its code. Call this
 * function before the code is loaded.
 * @param {string} dataDir data directory of the server
 */
export function useCompileCache(dataDir) {
  try {
    // The compile cache would also create the folder, but readable for all users.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    enableCompileCache(join(dataDir, 'cache'));
  } catch {
    // The start itself reports a problem with the folder, because it needs the folder.
  }
}
