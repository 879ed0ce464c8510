import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const CLOCK = selectFrom('trash_clock', 'at, running, process');

export type TrashClockRow = Row<typeof CLOCK>;

export function trashClock(db: Reader): TrashClockRow | undefined {
  return db.get(CLOCK.from('trash_clock WHERE id = 1'));
}

export function setTrashClock(tx: Tx, { at, running, process }: TrashClockRow): void {
  tx.run(
    `INSERT INTO trash_clock (id, at, running, process) VALUES (1, ?1, ?2, ?3)
      ON CONFLICT (id) DO UPDATE SET at = ?1, running = ?2, process = ?3`,
    at,
    running,
    process,
  );
}

/**
 * Changes the planned deletion times of databases, object stores and volumes in the trash.
 * @param by number of milliseconds to add to each time
 */
export function moveTerms(tx: Tx, by: number): void {
  tx.run('UPDATE databases SET expires_at = expires_at + ? WHERE deleted_at IS NOT NULL', by);
  tx.run('UPDATE object_stores SET expires_at = expires_at + ? WHERE deleted_at IS NOT NULL', by);
  tx.run("UPDATE volumes SET expires_at = expires_at + ? WHERE state = 'trash'", by);
}
