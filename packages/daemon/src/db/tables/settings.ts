import { selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const VALUE = selectFrom('settings', 'value');

/**
 * Returns a setting of the Davit instance, for example the instance id or a port. Returns `undefined` if the setting is
 * not stored.
 */
export function readSetting(db: Reader, key: string): string | undefined {
  return db.get(VALUE.from('settings WHERE key = ?'), key)?.value;
}

export function writeSetting(tx: Tx, key: string, value: string): void {
  tx.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}

export function deleteSetting(tx: Tx, key: string): void {
  tx.run('DELETE FROM settings WHERE key = ?', key);
}
