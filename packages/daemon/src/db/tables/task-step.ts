import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { update } from '../write.ts';
import { publishTaskEvent } from './task.ts';

const STEP = selectFrom('task_steps', 'name, started_at, finished_at, error');

export type TaskStepRow = Row<typeof STEP>;

/** Returns the steps of a task in the order in which they first started. */
export function stepsOfTask(db: Reader, id: number): TaskStepRow[] {
  return db.all(STEP.from('task_steps WHERE task_id = ? ORDER BY id'), id);
}

/**
 * Starts a step of a task, clears the task's progress, and publishes an event. If the step has started before, its row
 * is updated.
 */
export function startTaskStep(tx: Tx, id: number, name: string, at: number): void {
  tx.run(
    `INSERT INTO task_steps (task_id, name, started_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (task_id, name) DO UPDATE SET started_at = ?3, finished_at = NULL, error = NULL`,
    id,
    name,
    at,
  );
  update(tx, 'tasks', id, { progress: null });
  publishTaskEvent(tx, id, { name, state: 'started' });
}

export function finishTaskStep(tx: Tx, id: number, name: string, at: number, error: string | null = null): void {
  tx.run('UPDATE task_steps SET finished_at = ?, error = ? WHERE task_id = ? AND name = ?', at, error, id, name);
  publishTaskEvent(tx, id, { name, state: error === null ? 'finished' : 'failed' });
}
