/**
 * Schemas of the answers of the catalog. The OpenAPI document, the types of clients, and the tests are derived from
 * them.
 */
import { z } from 'zod';
import { CATALOG_ERRORS, type CatalogErrorCode } from './errors.ts';
import { CatalogManifest } from './manifest.ts';

const Moment = z.iso
  .datetime()
  .describe('RFC 3339, UTC, whole seconds.')
  .meta({ examples: ['2026-01-02T03:04:05Z'] });

const commit = z.string().describe('The commit that the release is of, whole.');

export const ListedRelease = z
  .object({
    tag: z.string(),
    name: z.string().describe('Its title; the tag where it has none.'),
    url: z.url().describe('Its page.'),
    commit,
    published_at: Moment,
  })
  .describe('The listed release, which is the newest that was accepted.');

export const CatalogTemplate = z
  .object({
    owner: z.string(),
    name: z.string().describe('The repository’s.'),
    title: z.string().describe('For display: the name that the template gives itself, else one made of `name`.'),
    description: z.string(),
    url: z.url().describe('The repository on its host.'),
    stars: z.int(),
    tags: z.array(z.string()).describe('Topics of the repository but for those by which it is listed, sorted.'),
    avatar_url: z.url(),
    icon_url: z.url().describe('Immutable: the commit is in it.'),
    verified: z.boolean().describe('The catalog vouches for the owner.'),
    release: ListedRelease,
  })
  .describe('A template as it is listed.');

export const CatalogPage = z.object({
  templates: z.array(CatalogTemplate),
  next_cursor: z.string().nullable().describe('For `cursor`, with the same `q`, `tag` and `sort`; null: no more.'),
});

export const CatalogDetail = CatalogTemplate.extend({
  readme: z.string(),
  source: z.string().describe('`template.yaml` exactly as written.'),
  source_url: z.url().describe('That file on its host at the release’s commit.'),
  manifest: CatalogManifest,
}).describe('A template with everything that is known of it.');

export const CatalogDiagnostic = z
  .object({
    severity: z.enum(['error', 'warning', 'info']).describe('An error refuses the release, the others are advice.'),
    code: z.string().describe('One of a closed list, which may grow.'),
    message: z.string(),
    path: z.array(z.union([z.string(), z.number()])).describe('Keys and list positions from the root of the file.'),
    line: z.int().optional().describe('From 1.'),
    column: z.int().optional().describe('From 1, in code points.'),
    hint: z.string().optional().describe('What to do about it.'),
  })
  .describe('What a check says of one place of the file.');

export const CatalogRelease = z
  .object({
    tag: z.string(),
    name: z.string(),
    url: z.url(),
    commit,
    published_at: Moment,
    status: z.enum(['accepted', 'rejected']),
    problems: z.array(CatalogDiagnostic).describe('What refused it, or the advice that did not.'),
  })
  .describe('A release that the catalog read.');

export const CatalogReleases = z.object({ releases: z.array(CatalogRelease).describe('Newest first.') });

export const CatalogTags = z.object({
  tags: z.array(z.string()).describe('Topics of listed templates but for those by which they are listed, sorted.'),
});

export const CatalogValidation = z.object({
  valid: z.boolean(),
  problems: z.array(CatalogDiagnostic),
  manifest: CatalogManifest.nullable().describe('Null when it is not valid.'),
});

const Pass = z.object({
  repositories: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  hidden: z.int(),
  failed: z.int().describe('Releases that could not be read this time.'),
});

export const CatalogHealth = z.object({
  last_pass: Moment.nullable().describe('When the last pass ended; null: none did.'),
  last_error: z.string().optional().describe('Why it ended early.'),
  report: Pass.optional(),
  index: z.int().nullable().describe('The number of the index that is served; null: there is none yet.'),
  templates: z.int().nullable().describe('How many are listed.'),
});

export const CatalogFailure = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(CATALOG_ERRORS) as [CatalogErrorCode, ...CatalogErrorCode[]]),
      message: z.string().describe('One sentence.'),
    }),
  })
  .describe('The body of every error.');

export type CatalogTemplate = z.infer<typeof CatalogTemplate>;
export type CatalogPage = z.infer<typeof CatalogPage>;
export type CatalogDetail = z.infer<typeof CatalogDetail>;
export type CatalogDiagnostic = z.infer<typeof CatalogDiagnostic>;
export type CatalogRelease = z.infer<typeof CatalogRelease>;
export type CatalogReleases = z.infer<typeof CatalogReleases>;
export type CatalogTags = z.infer<typeof CatalogTags>;
export type CatalogValidation = z.infer<typeof CatalogValidation>;
export type CatalogHealth = z.infer<typeof CatalogHealth>;
export type CatalogFailure = z.infer<typeof CatalogFailure>;
