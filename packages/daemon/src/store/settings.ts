import type { Reader, Tx } from './store.ts';

/** Facts of the instance itself, fixed or remembered: its id, its engine, the ports it found. */
export function readSetting(db: Reader, key: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value;
}

export function writeSetting(tx: Tx, key: string, value: string): void {
  tx.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
