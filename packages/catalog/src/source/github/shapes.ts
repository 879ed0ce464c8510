import { z } from 'zod';
import type { SourceRelease, SourceRepository } from '../source.ts';

/**
 * Zod schemas for GitHub's responses. The schemas contain only the fields that the catalog uses. Therefore, changes of
 * other fields cause no errors.
 */

const WebUrl = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''));
/**
 * Schema of the name of an owner or a Git repository. `.` and `..` are not allowed, because they have a special meaning
 * in URLs.
 */
const Segment = z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/);
const Id = z.int().positive();
const Time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString().replace(/\.\d+Z$/, 'Z'));
const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

/** Returns the schema of a GraphQL list. The list can be `null`, and its entries can be `null`. */
function listOf<T>(item: z.ZodType<T>) {
  return z
    .array(item.nullable())
    .nullable()
    .transform((items) => (items ?? []).filter((one) => one !== null));
}

const Release = z.object({
  tagName: z.string().min(1).max(1_000),
  name: z.string().max(10_000).nullable(),
  url: WebUrl,
  publishedAt: Time.nullable(),
  createdAt: Time,
  isDraft: z.boolean(),
  isPrerelease: z.boolean(),
  tagCommit: z.object({ oid: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) }).nullable(),
});
const Releases = z.object({ totalCount: z.int().nonnegative(), pageInfo: PageInfo, nodes: listOf(Release) });
const Topics = z.object({
  pageInfo: PageInfo,
  nodes: listOf(z.object({ topic: z.object({ name: z.string().min(1).max(100) }) })),
});

/** Git repository in a GraphQL response. */
export const RepositoryNode = z.object({
  id: z.string().min(1),
  databaseId: Id,
  name: Segment,
  owner: z.object({ login: Segment, avatarUrl: WebUrl, databaseId: Id.nullish() }),
  description: z.string().nullable(),
  url: WebUrl,
  stargazerCount: z.int().nonnegative(),
  isPrivate: z.boolean(),
  repositoryTopics: Topics,
  releases: Releases,
});
export type RepositoryNode = z.infer<typeof RepositoryNode>;

export const SearchData = z.object({
  search: z.object({
    repositoryCount: z.int().nonnegative(),
    pageInfo: PageInfo,
    nodes: z.array(z.unknown()),
  }),
});
export const NodesData = z.object({ nodes: z.array(z.unknown()) });
export const FurtherData = z.object({
  node: z.object({ repositoryTopics: Topics.optional(), releases: Releases.optional() }).nullable(),
});
export const CountData = z.record(z.string(), z.object({ repositoryCount: z.int().nonnegative() }));
export const EntriesData = z.object({
  node: z.looseObject({ databaseId: Id, commit: z.object({ oid: z.string() }).nullable() }).nullable(),
});

const GraphError = z.object({
  type: z.string().optional(),
  message: z.string(),
  path: z.array(z.union([z.string(), z.number()])).optional(),
});
export type GraphError = z.infer<typeof GraphError>;

/** Schema of any GraphQL response of GitHub. A response without data must contain an error. */
export const GraphAnswer = z
  .object({ data: z.unknown(), errors: z.array(GraphError).default([]) })
  .refine(({ data, errors }) => (typeof data === 'object' && data !== null) || errors.length > 0);
export type GraphAnswer = z.infer<typeof GraphAnswer>;

/**
 * Converts a Git repository from GitHub's GraphQL format to the catalog's format. Omits drafts, prereleases, and
 * releases whose tag does not refer to a commit.
 */
export function repositoryOf(node: RepositoryNode): SourceRepository {
  return {
    id: node.databaseId,
    nodeId: node.id,
    owner: node.owner.login,
    ownerId: node.owner.databaseId ?? null,
    name: node.name,
    description: node.description ?? '',
    url: node.url,
    avatarUrl: node.owner.avatarUrl,
    stars: node.stargazerCount,
    topics: node.repositoryTopics.nodes.map(({ topic }) => topic.name),
    private: node.isPrivate,
    releases: releasesOf(node.releases.nodes),
  };
}

function releasesOf(nodes: RepositoryNode['releases']['nodes']): SourceRelease[] {
  const published = nodes.flatMap(({ isDraft, isPrerelease, tagCommit, tagName, name, url, publishedAt, createdAt }) =>
    isDraft || isPrerelease || tagCommit === null
      ? []
      : [{ tag: tagName, name: name || tagName, url, commit: tagCommit.oid, publishedAt: publishedAt ?? createdAt }],
  );
  return published.sort((one, other) => Date.parse(other.publishedAt) - Date.parse(one.publishedAt));
}
