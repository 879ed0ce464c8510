import { DatabaseSync } from 'node:sqlite';

/**
 * Reads settings from a database file, which another process may use or which may be damaged. Returns `null` if the
 * file cannot be read as a database of Davit.
 */
export function readSettingsOfFile(file: string): ReadonlyMap<string, string> | null {
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const rows = db.prepare('SELECT key, value FROM settings').all();
    return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
  } catch {
    // The file is missing or damaged. The caller reports this with its own check.
    return null;
  }
}
