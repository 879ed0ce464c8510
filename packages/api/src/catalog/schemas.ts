/** Response schemas of the catalog API. The OpenAPI document, the TypeScript types and the tests use these schemas. */
import { z } from 'zod';
import { CATALOG_ERRORS, type CatalogErrorCode } from './errors.ts';
import { CatalogManifest } from './manifest.ts';

const Moment = z.iso
  .datetime()
  .describe('Time in RFC 3339 format, in UTC and whole seconds.')
  .meta({ examples: ['2026-01-02T03:04:05Z'] });

/** HTTP or HTTPS URL for links on web pages. Other schemes, such as `javascript:`, are invalid. */
const WebAddress = z.url({ protocol: /^https?$/ });

const commit = z.string().describe('Full hash of the Git commit of the release.');

export const ListedRelease = z
  .object({
    tag: z.string(),
    name: z.string().describe('Title of the release. If the release has no title: its tag.'),
    url: WebAddress.describe('URL of the release page on the Git host, for example GitHub.'),
    commit,
    published_at: Moment,
  })
  .describe('Release that the catalog shows: the newest release without errors.');

export const CatalogTemplate = z
  .object({
    owner: z.string(),
    name: z.string().describe('Name of the Git repository of the template.'),
    title: z
      .string()
      .describe(
        'Display name of the template. If the template sets no display name, the catalog derives it from the name of the repository.',
      ),
    description: z.string(),
    url: WebAddress.describe('URL of the Git repository of the template, for example on GitHub.'),
    stars: z.int(),
    tags: z
      .array(z.string())
      .describe(
        'Topics of the Git repository, sorted. Topics that only mark the repository as a template are left out.',
      ),
    avatar_url: WebAddress,
    icon_url: z
      .url()
      .describe(
        'URL of the template icon. The icon at this URL never changes, because the URL contains the commit hash.',
      ),
    verified: z.boolean().describe('Whether the operator of the catalog has verified the owner of the repository.'),
    release: ListedRelease,
  })
  .describe('Entry of a template in the list of templates.');

export const CatalogPage = z.object({
  templates: z.array(CatalogTemplate),
  next_cursor: z
    .string()
    .nullable()
    .describe(
      'Cursor of the next page. Send it as `cursor` with the same `q`, `tag` and `sort`. `null` on the last page.',
    ),
});

export const CatalogDetail = CatalogTemplate.extend({
  readme: z.string(),
  source: z.string().describe('Original text of the file `template.yaml`.'),
  source_url: WebAddress.describe('URL of the file `template.yaml` on its Git host, at the commit of the release.'),
  manifest: CatalogManifest,
}).describe('Template with all its details.');

export const CatalogDiagnostic = z
  .object({
    severity: z
      .enum(['error', 'warning', 'info'])
      .describe('Severity of the problem. `error`: the catalog rejects the release. `warning` and `info`: advice.'),
    code: z.string().describe('Code of the problem. Later versions may add codes.'),
    message: z.string(),
    path: z
      .array(z.union([z.string(), z.number()]))
      .describe('Path to the problem in the file: keys and list positions, starting at the root.'),
    line: z.int().optional().describe('Line number of the problem, starting at 1.'),
    column: z.int().optional().describe('Column of the problem in code points, starting at 1.'),
    hint: z.string().optional().describe('How to correct the problem.'),
  })
  .describe('One problem that a check found in `template.yaml`.');

export const CatalogRelease = z
  .object({
    tag: z.string(),
    name: z.string(),
    url: WebAddress,
    commit,
    published_at: Moment,
    status: z.enum(['accepted', 'rejected']),
    problems: z
      .array(CatalogDiagnostic)
      .describe(
        'Problems of the release. A rejected release has at least one error. An accepted release has only advice.',
      ),
  })
  .describe('Release of a template that the catalog has checked.');

export const CatalogReleases = z.object({
  releases: z.array(CatalogRelease).describe('Releases of the template, newest first.'),
});

export const CatalogTags = z.object({
  tags: z
    .array(z.string())
    .describe(
      'Topics of all templates in the catalog, sorted. Topics that only mark a repository as a template are left out.',
    ),
});

export const CatalogValidation = z.object({
  valid: z.boolean(),
  problems: z.array(CatalogDiagnostic),
  manifest: CatalogManifest.nullable().describe('Normalized template. `null` if the template is not valid.'),
});

const Pass = z.object({
  repositories: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  hidden: z.int(),
  failed: z.int().describe('Number of releases that the catalog could not read in this indexing run.'),
});

export const CatalogHealth = z.object({
  last_pass: Moment.nullable().describe('Time when the last indexing run finished. `null` if none has finished yet.'),
  last_error: z.string().optional().describe('Reason why the last indexing run failed. Absent if it succeeded.'),
  report: Pass.optional(),
  index: z.int().nullable().describe('Version number of the search index in use. `null` if no index exists yet.'),
  templates: z.int().nullable().describe('Number of templates in the catalog.'),
});

export const CatalogFailure = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(CATALOG_ERRORS) as [CatalogErrorCode, ...CatalogErrorCode[]]),
      message: z.string().describe('Description of the error in one sentence.'),
    }),
  })
  .describe('Body of every error response.');

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
