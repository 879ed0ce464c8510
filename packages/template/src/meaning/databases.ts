import type { DraftDatabase } from '../draft.ts';
import { ENGINES, type Engine, engineNamed } from '../rules/engines.ts';
import { excerpt } from '../shape/words.ts';
import { checkExtensions } from './extensions.ts';
import { checkLimits } from './limits.ts';
import type { Scope } from './scope.ts';
import { oneOf } from './words.ts';

/** Checks the engine, version and settings of each database. A Davit instance must be able to create the database. */
export function checkDatabases(scope: Scope): void {
  for (const [index, database] of (scope.draft.databases ?? []).entries()) checkDatabase(scope, database, index);
}

function checkDatabase(scope: Scope, database: DraftDatabase, index: number): void {
  const path = ['databases', index];
  const engine = engineNamed(database.engine);
  if (engine === undefined) {
    const message = `The database engine ${excerpt(database.engine)} is not supported.`;
    scope.error('engine.unknown', [...path, 'engine'], message, `Use ${oneOf(Object.keys(ENGINES))}.`);
    return;
  }
  const { version } = database;
  if (version !== undefined && !engine.versions.includes(version)) {
    const message = `${database.engine} is not available in version ${excerpt(version)}.`;
    scope.error('engine.version', [...path, 'version'], message, `Use ${oneOf(engine.versions)}.`);
  }
  checkUsername(scope, database, engine, index);
  if (database.database !== undefined && !engine.named) {
    const message = `${database.engine} has no named databases, so ${excerpt(database.database)} is ignored.`;
    scope.warning('database.ignored', [...path, 'database'], message);
  }
  checkExtensions(scope, database, engine, index);
  checkLimits(scope, database.limits, path);
}

function checkUsername(scope: Scope, database: DraftDatabase, engine: Engine, index: number): void {
  const { username } = database;
  if (username === undefined) return;
  const at = ['databases', index, 'username'];
  if (engine.onlyUser !== undefined && username !== engine.onlyUser) {
    scope.error('engine.username', at, `The only user of ${database.engine} is ${excerpt(engine.onlyUser)}.`);
  } else if (engine.refusedUsers.includes(username)) {
    scope.error(
      'engine.username',
      at,
      `${database.engine} does not allow the user name ${excerpt(username)}. Choose another name.`,
    );
  }
}
