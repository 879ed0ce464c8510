import { GraphFailure, type GraphObject } from './graphql-run.ts';
import { matching } from './search.ts';
import type { SimulatedGitHubState, SimulatedRelease, SimulatedRepository } from './state.ts';

/** Maximum number of search results that the simulated GitHub returns. The real GitHub has the same limit. */
const SEARCH_CAP = 1_000;
const WEB = 'https://github.com';

interface Paging {
  first?: number | undefined;
  after?: string | null | undefined;
}

/** Returns the root object of GraphQL queries for the repositories of a simulated GitHub. */
export function rootOf(state: SimulatedGitHubState): GraphObject {
  const node = (id: string) => {
    const found = byNodeId(state, id);
    if (!found) throw new GraphFailure('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
    if (found.forbidden) throw new GraphFailure('FORBIDDEN', forbidden(found));
    return repositoryObject(found);
  };
  return {
    __typename: 'Query',
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => attempt(() => node(id))),
    search: (args: Paging & { query: string; type: string }) => search(state, args),
  };
}

/**
 * Returns the error instead of throwing it. In a GraphQL list, one item can fail, while the other items are still
 * returned.
 */
function attempt(make: () => GraphObject): GraphObject | GraphFailure {
  try {
    return make();
  } catch (error) {
    if (error instanceof GraphFailure) return error;
    throw error;
  }
}

function search(state: SimulatedGitHubState, { query, first, after }: Paging & { query: string }): GraphObject {
  const found = matching(state, query);
  const returned = found.slice(0, SEARCH_CAP);
  const object = (one: SimulatedRepository) =>
    one.forbidden ? new GraphFailure('FORBIDDEN', forbidden(one)) : repositoryObject(one);
  return { ...connection('search', returned, object, { first, after }), repositoryCount: found.length };
}

function repositoryObject(repository: SimulatedRepository): GraphObject {
  const { id, nodeId, owner, name, description, stars, topics, releases, files } = repository;
  const url = `${WEB}/${owner.login}/${name}`;
  return {
    __typename: 'Repository',
    id: nodeId,
    databaseId: id,
    name,
    nameWithOwner: `${owner.login}/${name}`,
    owner: {
      __typename: owner.kind,
      login: owner.login,
      databaseId: owner.id,
      avatarUrl: `https://avatars.githubusercontent.com/u/${owner.id}?v=4`,
    },
    description,
    url,
    stargazerCount: stars,
    isPrivate: repository.private,
    createdAt: repository.createdAt,
    repositoryTopics: (paging: Paging) => connection('repositoryTopics', topics, topicObject, paging),
    releases: (paging: Paging) => {
      // Like the real GitHub, show draft releases only if the token has access to the repository.
      const visibleReleases = releases.filter(({ draft }) => !draft || repository.shared);
      return connection('releases', visibleReleases, (one) => releaseObject(one, url), paging);
    },
    object: (args: { oid?: string; expression?: string }) => objectOf(files, args),
  };
}

function objectOf(
  files: SimulatedRepository['files'],
  { oid, expression }: { oid?: string; expression?: string },
): unknown {
  if (oid !== undefined) return files.has(oid) ? { __typename: 'Commit', oid } : null;
  const [commit = '', path = ''] = (expression ?? '').split(/:(.*)/s);
  const entry = files.get(commit)?.[path];
  if (entry === undefined) return null;
  const folder = typeof entry === 'object' && 'kind' in entry;
  return { __typename: folder ? 'Tree' : 'Blob', oid: '0'.repeat(40) };
}

function topicObject(name: string): GraphObject {
  return { __typename: 'RepositoryTopic', topic: { __typename: 'Topic', name } };
}

function releaseObject({ tag, name, commit, ...release }: SimulatedRelease, repositoryUrl: string): GraphObject {
  return {
    __typename: 'Release',
    tagName: tag,
    name,
    url: `${repositoryUrl}/releases/tag/${encodeURIComponent(tag)}`,
    createdAt: release.createdAt,
    publishedAt: release.publishedAt,
    isDraft: release.draft,
    isPrerelease: release.prerelease,
    tagCommit: commit === null ? null : { __typename: 'Commit', oid: commit },
  };
}

/** Returns a page of a GraphQL list. The argument `first` is required and at most 100, as on GitHub. */
function connection<T>(name: string, items: T[], make: (item: T) => unknown, { first, after }: Paging): GraphObject {
  if (typeof first !== 'number') {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    throw new GraphFailure('MISSING_PAGINATION_BOUNDARIES', message);
  }
  if (first > 100) {
    const message = `Requesting ${first} records on the \`${name}\` connection exceeds the \`first\` limit of 100 records.`;
    throw new GraphFailure('EXCESSIVE_PAGINATION', message);
  }
  const start = after ? Number(Buffer.from(after, 'base64').toString().replace('cursor:', '')) : 0;
  const nodes = items.slice(start, start + first).map(make);
  const end = start + nodes.length;
  const endCursor = nodes.length === 0 ? null : Buffer.from(`cursor:${end}`).toString('base64');
  const pageInfo = { __typename: 'PageInfo', hasNextPage: end < items.length, endCursor };
  return { __typename: 'Connection', totalCount: items.length, pageInfo, nodes };
}

function byNodeId(state: SimulatedGitHubState, nodeId: string): SimulatedRepository | undefined {
  const id = Number(Buffer.from(nodeId.replace('R_kgDO', ''), 'base64url').toString());
  const found = state.visible(id);
  return found?.nodeId === nodeId ? found : undefined;
}

function forbidden({ owner }: SimulatedRepository): string {
  return `\`${owner.login}\` forbids access via a personal access token (classic). Please use a GitHub App, OAuth App, or a personal access token with fine-grained permissions.`;
}
