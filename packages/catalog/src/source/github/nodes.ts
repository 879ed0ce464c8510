import type { Logger } from '@davit/service';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import { type GraphError, RepositoryNode } from './shapes.ts';

/**
 * Result for one Git repository in a GraphQL response: the repository's data, `not-found`, or `unclear` if GitHub sent
 * no usable data.
 */
export type NodeAnswer = RepositoryNode | 'not-found' | 'unclear';

/**
 * Returns a result for each Git repository in a GraphQL response. Errors about single repositories do not affect the
 * other results.
 * @param path location of the repository list in the response data
 * @throws GitHubUnavailable
 */
export function readNodes(
  nodes: readonly unknown[],
  errors: readonly GraphError[],
  path: readonly string[],
  { client, log, what }: { client: GitHubClient; log: Logger; what: string },
): NodeAnswer[] {
  const errorByIndex = new Map<number, GraphError>();
  for (const error of errors) {
    const nodeIndex = nodeIndexOf(error, path);
    if (nodeIndex === null)
      throw new GitHubUnavailable(`${what}: GitHub returned the error “${client.tidy(error.message)}”.`);
    errorByIndex.set(nodeIndex, error);
  }
  return nodes.map((node, index) => {
    const error = errorByIndex.get(index);
    if (error?.type === 'NOT_FOUND' && node === null && error.path?.length === path.length + 1) return 'not-found';
    const parsed = error ? null : RepositoryNode.safeParse(node);
    if (parsed?.success) return parsed.data;
    const reason = error ? error.message : parsed?.error.issues.map((issue) => issue.path.join('.')).join(', ');
    log.warn(
      { node: nameOf(node, client), reason: client.tidy(reason ?? '') },
      'github returned no usable data about a repository',
    );
    return 'unclear';
  });
}

/**
 * Returns the list index of the Git repository to which a GraphQL error belongs. Returns `null` if the error does not
 * belong to a single repository.
 */
function nodeIndexOf({ type, path: at = [] }: GraphError, path: readonly string[]): number | null {
  const nodeIndex = at[path.length];
  const within = path.every((key, index) => at[index] === key) && typeof nodeIndex === 'number';
  return within && (type === 'NOT_FOUND' || type === 'FORBIDDEN') ? nodeIndex : null;
}

function nameOf(node: unknown, client: GitHubClient): string | null {
  const id = typeof node === 'object' && node !== null && 'id' in node ? node.id : null;
  return typeof id === 'string' ? client.tidy(id) : null;
}
