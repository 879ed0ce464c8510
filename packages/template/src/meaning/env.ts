import type { Path } from '../diagnostic.ts';
import { byName } from '../rules/sorted.ts';
import { checkReferences } from './references.ts';
import type { Scope } from './scope.ts';

/** What variables refer to, in the order of their names. `path` is that of the variables. */
export function checkEnv(scope: Scope, env: Readonly<Record<string, string>> = {}, path: Path): void {
  for (const name of Object.keys(env).sort(byName)) checkReferences(scope, env[name] ?? '', [...path, name]);
}
