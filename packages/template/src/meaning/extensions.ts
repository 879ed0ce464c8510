import type { DraftDatabase } from '../draft.ts';
import type { Engine } from '../rules/engines.ts';
import { EXTENSIONS, extensionNamed, extensionNames } from '../rules/extensions.ts';
import { excerpt } from '../shape/words.ts';
import type { Scope } from './scope.ts';
import { checkGate } from './versions.ts';
import { oneOf } from './words.ts';

/** Extensions are postgres's, on offer, and for the version that will run. */
export function checkExtensions(scope: Scope, database: DraftDatabase, engine: Engine, index: number): void {
  const names = extensionNames(database.extensions);
  if (names.length === 0) return;
  const at = ['databases', index, 'extensions'];
  if (database.engine !== 'postgres') {
    scope.error('extension.engine', at, `Only postgres has extensions, ${database.engine} has none.`);
    return;
  }
  const version = database.version ?? engine.versions[0] ?? '';
  const refused = names.filter((name) => {
    const extension = extensionNamed(name);
    if (extension === undefined) {
      const hint = `Use ${oneOf(Object.keys(EXTENSIONS))}.`;
      scope.error('extension.unknown', at, `There is no extension ${excerpt(name)}.`, hint);
    } else if (!extension.versions.includes(version)) {
      const message = `The extension ${excerpt(name)} is not offered on postgres ${excerpt(version)}.`;
      scope.error('extension.version', at, message, `Use version ${oneOf(extension.versions)}.`);
    } else {
      return false;
    }
    return true;
  });
  if (refused.length === 0) checkGate(scope, 'extensions', at);
}
