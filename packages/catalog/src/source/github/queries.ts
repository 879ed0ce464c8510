/**
 * Number of latest releases that a GraphQL query returns for each Git repository. Older releases need further requests.
 */
const LATEST_RELEASES = 10;

const RELEASES = `
  totalCount
  pageInfo { hasNextPage endCursor }
  nodes { tagName name url publishedAt createdAt isDraft isPrerelease tagCommit { oid } }
`;
const TOPICS = `
  pageInfo { hasNextPage endCursor }
  nodes { topic { name } }
`;
const NEWEST_FIRST = 'orderBy: { field: CREATED_AT, direction: DESC }';

const REPOSITORY = `
  fragment Repository on Repository {
    id
    databaseId
    name
    owner { login avatarUrl ... on User { databaseId } ... on Organization { databaseId } }
    description
    url
    stargazerCount
    isPrivate
    repositoryTopics(first: 20) { ${TOPICS} }
    releases(first: ${LATEST_RELEASES}, ${NEWEST_FIRST}) { ${RELEASES} }
  }
`;

/**
 * GraphQL query for one page of Git repositories that match a search. The response also contains the total number of
 * matches.
 */
export const SEARCH = `
  query Search($query: String!, $first: Int!, $after: String) {
    search(type: REPOSITORY, query: $query, first: $first, after: $after) {
      repositoryCount
      pageInfo { hasNextPage endCursor }
      nodes { ...Repository }
    }
  }
  ${REPOSITORY}
`;

export const LOOK_UP = `
  query LookUp($ids: [ID!]!) {
    nodes(ids: $ids) { ...Repository }
  }
  ${REPOSITORY}
`;

/** GraphQL query for further pages of a Git repository's topics and releases. */
export const FURTHER = `
  query Further($id: ID!, $topics: String, $releases: String, $withTopics: Boolean!, $withReleases: Boolean!) {
    node(id: $id) {
      ... on Repository {
        repositoryTopics(first: 100, after: $topics) @include(if: $withTopics) { ${TOPICS} }
        releases(first: 100, after: $releases, ${NEWEST_FIRST}) @include(if: $withReleases) { ${RELEASES} }
      }
    }
  }
`;

/**
 * Returns a GraphQL query that checks whether paths exist at a commit. Each variable has the form `commit:path`. If a
 * path does not exist, its result is `null`.
 */
export function entriesQuery(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return `
    query Entries($id: ID!, $commit: GitObjectID!, ${indexes.map((index) => `$p${index}: String!`).join(', ')}) {
      node(id: $id) {
        ... on Repository {
          databaseId
          commit: object(oid: $commit) { oid }
          ${indexes.map((index) => `p${index}: object(expression: $p${index}) { oid }`).join('\n')}
        }
      }
    }
  `;
}

/** Returns a GraphQL query for the number of results of several searches. */
export function countQuery(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return `
    query Count(${indexes.map((index) => `$q${index}: String!`).join(', ')}) {
      ${indexes.map((index) => `q${index}: search(type: REPOSITORY, query: $q${index}, first: 1) { repositoryCount }`).join('\n')}
    }
  `;
}
