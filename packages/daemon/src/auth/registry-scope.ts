/**
 * Parses the scopes of token requests in the Docker registry protocol. A scope contains a repository and the requested
 * actions.
 */
import type { RegistryAccess, RegistryAction } from '../adapters/registry/registry.ts';

/**
 * Maximum number of scopes in one token request. A request for an image push has one scope for the pushed repository.
 * It has one more scope for each repository whose layers it reuses.
 */
export const MOST_SCOPES = 20;

/** Name of a registry repository. It is the name of an app: `project/environment/app`. */
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

/**
 * Actions that a registry token for a client can contain. Clients never get permission to delete images or to list all
 * repositories.
 */
const GRANTABLE = ['pull', 'push'] as const satisfies RegistryAction[];

/**
 * Returns the scopes of a token request without duplicates. Returns `null` if there are too many scopes.
 * @param values `scope` parameters of the request. Each parameter can contain several scopes.
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
 * Parses a scope `repository:<app>:<actions>`. Ignores all actions except `pull` and `push`.
 * @returns `null` if the scope has another type, or if the name cannot be the name of an app
 */
export function parseScope(scope: string): RegistryAccess | null {
  const [type, repository = '', actions = '', ...rest] = scope.split(':');
  if (type !== 'repository' || rest.length > 0 || !REPOSITORY.test(repository)) return null;
  const requestedActions = actions.split(',');
  return { repository, actions: GRANTABLE.filter((action) => requestedActions.includes(action)) };
}

/**
 * Returns the repository to which a scope requests to push, or `null` if the scope requests no push. The name of the
 * repository may be invalid.
 */
export function pushedTo(scope: string): string | null {
  const [, name, actions] = /^repository:(.+):([^:]*)$/.exec(scope) ?? [];
  return name !== undefined && actions?.split(',').includes('push') ? name : null;
}

/**
 * Returns the allowed access for each requested repository. A client may request more access than is allowed.
 * @param allowed returns the allowed actions in a repository
 */
export function grant(
  scopes: readonly string[],
  allowed: (repository: string) => readonly RegistryAction[],
): RegistryAccess[] {
  const granted = new Map<string, Set<RegistryAction>>();
  for (const scope of scopes) {
    const requested = parseScope(scope);
    if (requested === null) continue;
    const may = allowed(requested.repository);
    const actions = requested.actions.filter((action) => may.includes(action));
    if (actions.length === 0) continue;
    granted.set(requested.repository, new Set([...(granted.get(requested.repository) ?? []), ...actions]));
  }
  return [...granted].map(([repository, actions]) => ({
    repository,
    actions: GRANTABLE.filter((a) => actions.has(a)),
  }));
}
