import type { Path } from '../diagnostic.ts';
import { byName } from '../rules/sorted.ts';
import { excerpt } from '../shape/words.ts';
import { checkReferences } from './references.ts';
import type { Scope } from './scope.ts';

/**
 * Checks the references in an app's environment variables. Warns if a variable overrides a variable from an attached
 * database or bucket.
 * @param attached names of the variables that attachments set
 */
export function checkEnv(
  scope: Scope,
  env: Readonly<Record<string, string>> = {},
  attached: ReadonlySet<string>,
  path: Path,
): void {
  for (const name of Object.keys(env).sort(byName)) {
    const at = [...path, 'env', name];
    checkReferences(scope, env[name] ?? '', at);
    if (!attached.has(name)) continue;
    scope.warning(
      'attach.collision',
      at,
      `An attachment sets the variable ${excerpt(name)}, and \`env\` overrides it.`,
    );
  }
}
