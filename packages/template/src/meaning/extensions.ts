import type { DraftDatabase } from '../draft.ts';
import type { Engine } from '../rules/engines.ts';
import { EXTENSIONS, extensionNamed, extensionNames } from '../rules/extensions.ts';
import { excerpt } from '../shape/words.ts';
import type { Scope } from './scope.ts';
import { checkGate } from './versions.ts';
import { oneOf } from './words.ts';

/**
 * Checks the PostgreSQL extensions of each database. The engine must be PostgreSQL, and Davit must offer the extension
 * for this PostgreSQL version.
 */
export function checkExtensions(scope: Scope, database: DraftDatabase, engine: Engine, index: number): void {
  const names = extensionNames(database.extensions);
  if (names.length === 0) return;
  const at = ['databases', index, 'extensions'];
  if (database.engine !== 'postgres') {
    scope.error('extension.engine', at, `${database.engine} has no extensions. Only postgres has extensions.`);
    return;
  }
  const version = database.version ?? engine.versions[0] ?? '';
  const unknown = names.filter((name) => extensionNamed(name) === undefined);
  if (unknown.length > 0) {
    const hint = `Use ${oneOf(Object.keys(EXTENSIONS))}.`;
    scope.error('extension.unknown', at, `The extension ${oneOf(unknown)} is not available.`, hint);
    return;
  }
  const refused = names.filter((name) => !extensionNamed(name)?.versions.includes(version));
  if (refused.length > 0) {
    const message = `postgres ${excerpt(version)} does not have the extension ${oneOf(refused)}.`;
    scope.error('extension.version', at, message, `Use version ${oneOf(engine.versions)}.`);
    return;
  }
  checkGate(scope, 'extensions', at);
}
