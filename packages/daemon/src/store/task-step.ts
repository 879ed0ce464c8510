import type { Reader, Tx } from './store.ts';
import { tellOf } from './task.ts';

export interface TaskStepRow {
  name: string;
  started_at: number;
  finished_at: number | null;
  error: string | null;
}

/** In the order in which they began. */
export function stepsOfTask(db: Reader, id: number): TaskStepRow[] {
  return db.all('SELECT name, started_at, finished_at, error FROM task_steps WHERE task_id = ? ORDER BY id', id);
}

/** A step that is begun again keeps its place. */
export function startTaskStep(tx: Tx, id: number, name: string, at: number): void {
  tx.run(
    `INSERT INTO task_steps (task_id, name, started_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (task_id, name) DO UPDATE SET started_at = ?3, finished_at = NULL, error = NULL`,
    id,
    name,
    at,
  );
  tx.run('UPDATE tasks SET progress = NULL WHERE id = ?', id);
  tellOf(tx, id, { name, state: 'started' });
}

export function finishTaskStep(tx: Tx, id: number, name: string, at: number, error: string | null = null): void {
  tx.run('UPDATE task_steps SET finished_at = ?, error = ? WHERE task_id = ? AND name = ?', at, error, id, name);
  tellOf(tx, id, { name, state: error === null ? 'finished' : 'failed' });
}
