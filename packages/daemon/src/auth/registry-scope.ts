/** What is asked for in a token, in the words of the registry's protocol. Pure. */
import type { RegistryAccess, RegistryAction } from '../adapters/registry/registry.ts';

/** More than any client asks for: a push with many layers of other repositories names each of those once. */
export const MOST_SCOPES = 20;

/** An app's reference, exactly: nothing else is the name of a repository here. */
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

/** What may be granted at all; deletion and the catalog are nobody's. */
const GRANTABLE = ['pull', 'push'] as const satisfies RegistryAction[];

/**
 * The scopes of a query, each once.
 * @param values of its parameters named `scope`; each may be several with spaces between
 * @returns null for too many
 */
export function splitScopes(values: readonly string[]): string[] | null {
  const scopes = new Set<string>();
  for (const value of values) {
    for (const scope of value.split(' ')) if (scope !== '') scopes.add(scope);
    if (scopes.size > MOST_SCOPES) return null;
  }
  return [...scopes];
}

/**
 * What a scope asks for that could be granted: of `repository:<app>:<actions>` the app and the actions that there are.
 * @returns null for anything else: another type, another host's name, a name that no app has
 */
export function parseScope(scope: string): RegistryAccess | null {
  const [type, repository = '', actions = '', ...rest] = scope.split(':');
  if (type !== 'repository' || rest.length > 0 || !REPOSITORY.test(repository)) return null;
  const asked = actions.split(',');
  return { repository, actions: GRANTABLE.filter((action) => asked.includes(action)) };
}

/** The repository that a scope asks to push to, whether there could be one of that name or not; null: it asks for none. */
export function pushedTo(scope: string): string | null {
  const [, name, actions] = /^repository:(.+):([^:]*)$/.exec(scope) ?? [];
  return name !== undefined && actions?.split(',').includes('push') ? name : null;
}

/**
 * Intersects what is asked with what is allowed. Asking for too much is no error.
 * @param allowed the actions that may be done in a repository
 * @returns no repository twice, and none without an action
 */
export function grant(
  scopes: readonly string[],
  allowed: (repository: string) => readonly RegistryAction[],
): RegistryAccess[] {
  const granted = new Map<string, Set<RegistryAction>>();
  for (const scope of scopes) {
    const asked = parseScope(scope);
    if (asked === null) continue;
    const may = allowed(asked.repository);
    const actions = asked.actions.filter((action) => may.includes(action));
    if (actions.length === 0) continue;
    granted.set(asked.repository, new Set([...(granted.get(asked.repository) ?? []), ...actions]));
  }
  return [...granted].map(([repository, actions]) => ({
    repository,
    actions: GRANTABLE.filter((a) => actions.has(a)),
  }));
}
