/**
 * File that describes the last start of the daemon. Safe mode reads this file, because the same values in the database
 * may be unreadable.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurablySync } from '@davit/service/durable-files';

export const LAST_START = 'last-start.json';

export interface LastStart {
  /** Port of the API, or `null` if it is unknown. */
  port: number | null;
  /** Version of Davit that last opened the database, or `null` if it is unknown. */
  version: string | null;
}

export function readLastStart(dataDir: string): LastStart {
  try {
    const { port, version } = JSON.parse(readFileSync(join(dataDir, LAST_START), 'utf8')) as Record<string, unknown>;
    return {
      port: typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : null,
      version: typeof version === 'string' && /^[\w.+-]{1,64}$/.test(version) ? version : null,
    };
  } catch {
    // The file is missing before the first start ends, or it is damaged. Safe mode then uses the configured port.
    return { port: null, version: null };
  }
}

/** Records a start. Writes the file only if a value has changed. */
export function noteStart(dataDir: string, start: LastStart): void {
  const last = readLastStart(dataDir);
  if (last.port === start.port && last.version === start.version) return;
  try {
    writeDurablySync(join(dataDir, LAST_START), `${JSON.stringify(start)}\n`);
  } catch {
    // The error is ignored, because an instance with a full disk must start. Only safe mode needs the file.
  }
}
