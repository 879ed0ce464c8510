/** Scopes of a token request in the registry's protocol. Pure. */
import type { RegistryAccess, RegistryAction } from '../adapters/registry/registry.ts';

/**
 * Maximum number of scopes. Clients request fewer: a push with many layers of other repositories names each of these
 * repositories once.
 */
export const MOST_SCOPES = 20;

/** Reference of an app. Repositories have no other names. */
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

/** Actions that can be granted. Deletion and the catalog are never granted. */
const GRANTABLE = ['pull', 'push'] as const satisfies RegistryAction[];

/**
 * Returns the scopes of a query without duplicates.
 * @param values values of the parameters named `scope`; each may contain several scopes, separated by spaces
 * @returns `null` if there are too many scopes
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
 * Parses the app and the grantable actions of a scope `repository:<app>:<actions>`.
 * @returns `null` for any other scope: another type, a name with another host, or a name that no app can have
 */
export function parseScope(scope: string): RegistryAccess | null {
  const [type, repository = '', actions = '', ...rest] = scope.split(':');
  if (type !== 'repository' || rest.length > 0 || !REPOSITORY.test(repository)) return null;
  const asked = actions.split(',');
  return { repository, actions: GRANTABLE.filter((action) => asked.includes(action)) };
}

/**
 * Returns the repository to which a scope requests a push, even if no app can have this name. Returns `null` if the
 * scope requests no push.
 */
export function pushedTo(scope: string): string | null {
  const [, name, actions] = /^repository:(.+):([^:]*)$/.exec(scope) ?? [];
  return name !== undefined && actions?.split(',').includes('push') ? name : null;
}

/**
 * Intersects the requested access with the allowed access. Requesting too much is not an error.
 * @param allowed returns the allowed actions in a repository
 * @returns access without duplicate repositories and without empty actions
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
