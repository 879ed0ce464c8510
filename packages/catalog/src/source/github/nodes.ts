import type { Logger } from '@davit/service';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import { type GraphError, RepositoryNode } from './shapes.ts';

/** What GitHub says of one repository of a list: itself, that there is none, or nothing that can be used. */
export type NodeAnswer = RepositoryNode | 'not-found' | 'unclear';

/**
 * Reads a list of repositories with the errors told beside it. Some accounts forbid to be read with tokens of a kind: that
 * is an error at their place of the list, and concerns nobody else.
 * @param path where the list stands in the data
 * @throws GitHubUnavailable for any other error
 */
export function readNodes(
  nodes: readonly unknown[],
  errors: readonly GraphError[],
  path: readonly string[],
  { client, log, what }: { client: GitHubClient; log: Logger; what: string },
): NodeAnswer[] {
  const told = new Map<number, GraphError>();
  for (const error of errors) {
    const place = placeOf(error, path);
    if (place === null) throw new GitHubUnavailable(`${what}: GitHub answered «${client.tidy(error.message)}».`);
    told.set(place, error);
  }
  return nodes.map((node, index) => {
    const error = told.get(index);
    if (error?.type === 'NOT_FOUND' && node === null && error.path?.length === path.length + 1) return 'not-found';
    const parsed = error ? null : RepositoryNode.safeParse(node);
    if (parsed?.success) return parsed.data;
    const reason = error ? error.message : parsed?.error.issues.map((issue) => issue.path.join('.')).join(', ');
    log.warn(
      { node: nameOf(node, client), reason: client.tidy(reason ?? '') },
      'github told nothing usable of a repository',
    );
    return 'unclear';
  });
}

/** The index in the list that an error is about; null when it is about more than one repository. */
function placeOf({ type, path: at = [] }: GraphError, path: readonly string[]): number | null {
  const place = at[path.length];
  const within = path.every((key, index) => at[index] === key) && typeof place === 'number';
  return within && (type === 'NOT_FOUND' || type === 'FORBIDDEN') ? place : null;
}

function nameOf(node: unknown, client: GitHubClient): string | null {
  const id = typeof node === 'object' && node !== null && 'id' in node ? node.id : null;
  return typeof id === 'string' ? client.tidy(id) : null;
}
