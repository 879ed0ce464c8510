import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

export type VariableLevel = 'project' | 'environment' | 'app';

const VARIABLE = selectFrom('variables', 'level, owner_id, key, value, secret');

export type VariableRow = Row<typeof VARIABLE>;

/** Returns the environment variables that are set for one project, environment or app, sorted by name. */
export function variablesOf(db: Reader, level: VariableLevel, ownerId: number): VariableRow[] {
  return db.all(VARIABLE.from('variables WHERE level = ? AND owner_id = ? ORDER BY key'), level, ownerId);
}

/** Returns the environment variables of the given projects, environments or apps, sorted by owner id and name. */
export function variablesOfMany(db: Reader, level: VariableLevel, ownerIds: readonly number[]): VariableRow[] {
  return db.all(
    VARIABLE.from('variables WHERE level = ? AND owner_id IN (SELECT value FROM json_each(?)) ORDER BY owner_id, key'),
    level,
    JSON.stringify(ownerIds),
  );
}

export function putVariable(tx: Tx, row: VariableRow): void {
  tx.run(
    `INSERT INTO variables (level, owner_id, key, value, secret) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (level, owner_id, key) DO UPDATE SET value = excluded.value, secret = excluded.secret`,
    row.level,
    row.owner_id,
    row.key,
    row.value,
    row.secret,
  );
}

export function deleteVariable(tx: Tx, level: VariableLevel, ownerId: number, key: string): void {
  tx.run('DELETE FROM variables WHERE level = ? AND owner_id = ? AND key = ?', level, ownerId, key);
}
