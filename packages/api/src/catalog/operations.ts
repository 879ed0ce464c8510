import { z } from 'zod';
import type { CatalogErrorCode } from './errors.ts';
import { LIMIT, LONGEST_SEARCH, SORTS, TEMPLATE_TYPES } from './limits.ts';
import { CatalogManifest } from './manifest.ts';
import {
  CatalogDetail,
  CatalogHealth,
  CatalogPage,
  CatalogReleases,
  CatalogTags,
  CatalogValidation,
} from './schemas.ts';
import type { CatalogTag } from './tags.ts';

export interface CatalogOperation {
  id: string;
  method: 'GET' | 'POST';
  /** Path below `/api/v1`, with parameters such as `{name}`. */
  path: string;
  tag: CatalogTag;
  summary: string;
  description: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Accepted `Content-Type` values of the request body. Absent if the request has no body. */
  body?: readonly string[];
  answer: {
    description: string;
    /** Map from content type to the schema of the response body. `null` if the response body has no schema. */
    content: Record<string, z.ZodType | null>;
  };
  errors: readonly CatalogErrorCode[];
}

const Repository = z.object({
  owner: z.string().describe('Owner of the Git repository of the template. Letter case is ignored.'),
  name: z.string().describe('Name of the Git repository of the template. Letter case is ignored.'),
});

const ListQuery = z.object({
  q: z
    .string()
    .optional()
    .describe(
      `Text in the name or description of the repository, at most ${LONGEST_SEARCH} code points. The search ignores letter case and accents. In names, hyphens, underscores and spaces are treated as equal.`,
    )
    .meta({ examples: ['uptime kuma'] }),
  tag: z.string().optional().describe('Topic of the repository, in its exact spelling.'),
  sort: z.enum(SORTS).default('recent').describe('Order of the templates: newest release first, or most stars first.'),
  limit: z.int().min(LIMIT.least).max(LIMIT.most).default(LIMIT.usual),
  cursor: z
    .string()
    .optional()
    .describe('Value of `next_cursor` in the previous page. Send the same `q`, `tag` and `sort` with it.'),
});

const json = (schema: z.ZodType) => ({ 'application/json': schema });

/** Operations of the catalog API by operation ID. A later version never changes the meaning of an operation. */
export const catalogOperations = {
  listTemplates: {
    id: 'listTemplates',
    method: 'GET',
    path: '/templates',
    tag: 'Templates',
    summary: 'List templates',
    description:
      'Returns one page of templates. Each entry shows the newest release of the template that has no errors.',
    query: ListQuery,
    answer: { description: 'One page of templates.', content: json(CatalogPage) },
    errors: ['invalid_query', 'unavailable'],
  },
  getTemplate: {
    id: 'getTemplate',
    method: 'GET',
    path: '/templates/{owner}/{name}',
    tag: 'Templates',
    summary: 'Get a template',
    description: 'Returns the README, the template file and the manifest of the newest release that has no errors.',
    params: Repository,
    answer: { description: 'The template.', content: json(CatalogDetail) },
    errors: ['not_found', 'unavailable'],
  },
  getManifest: {
    id: 'getManifest',
    method: 'GET',
    path: '/templates/{owner}/{name}/manifest',
    tag: 'Templates',
    summary: 'Get the manifest (normalized template) that instances install',
    description:
      'Returns the content of the template file in the form that instances install. Davit has added missing names and default values.',
    params: Repository,
    query: z.object({
      release: z
        .string()
        .optional()
        .describe('Tag of a release without errors. Default: the newest release without errors.'),
    }),
    answer: { description: 'The manifest.', content: json(CatalogManifest) },
    errors: ['invalid_query', 'not_found', 'unavailable'],
  },
  listReleases: {
    id: 'listReleases',
    method: 'GET',
    path: '/templates/{owner}/{name}/releases',
    tag: 'Templates',
    summary: 'List all releases of a template that the catalog has checked, newest first',
    description: 'The list also contains the releases that the catalog rejected, with the problems of each release.',
    params: Repository,
    answer: { description: 'The releases.', content: json(CatalogReleases) },
    errors: ['not_found', 'unavailable'],
  },
  listTags: {
    id: 'listTags',
    method: 'GET',
    path: '/tags',
    tag: 'Templates',
    summary: 'List the topics of all templates in the catalog',
    description: 'Returns the topics of the Git repositories, sorted. Use one of them as `tag` to list its templates.',
    answer: { description: 'The topics.', content: json(CatalogTags) },
    errors: ['unavailable'],
  },
  getIcon: {
    id: 'getIcon',
    method: 'GET',
    path: '/icons/{repository}/{commit}.png',
    tag: 'Templates',
    summary: 'Get the icon of a template from the URL in `icon_url`',
    description:
      'Returns a PNG image. The image at an address never changes, so clients can cache the image without a time limit.',
    params: z.object({
      repository: z.string().regex(/^\d+$/).describe('ID of the Git repository on its Git host.'),
      commit: z
        .string()
        .regex(/^[0-9a-f]{7,64}$/)
        .describe('Full hash of the Git commit of the release.'),
    }),
    answer: { description: 'The icon. The icon at this URL never changes.', content: { 'image/png': null } },
    errors: ['not_found', 'unavailable'],
  },
  validateTemplate: {
    id: 'validateTemplate',
    method: 'POST',
    path: '/validate',
    tag: 'Templates',
    summary: 'Check a template without publishing it',
    description: 'The response lists the problems of the template. The catalog does not store the template.',
    body: TEMPLATE_TYPES,
    answer: {
      description: 'Result of the check, with all problems of the template.',
      content: json(CatalogValidation),
    },
    errors: ['too_large', 'unsupported_media_type', 'unavailable'],
  },
  getTemplateSchema: {
    id: 'getTemplateSchema',
    method: 'GET',
    path: '/schema/template/v1.json',
    tag: 'Templates',
    summary: 'Get the JSON Schema of template.yaml, for editors',
    description:
      'Returns the rules for the fields of a template file, so that editors can check the file and suggest fields.',
    answer: { description: 'The schema.', content: { 'application/schema+json': null } },
    errors: [],
  },
  getHealth: {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'Catalog',
    summary: 'Get the health of the catalog',
    description: 'The status is 200 even if an indexing run failed. The response then contains the reason.',
    answer: {
      description: 'The catalog is running. The response has the result of the last indexing run.',
      content: json(CatalogHealth),
    },
    errors: [],
  },
  getMetrics: {
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'Catalog',
    summary: 'Get metrics for Prometheus',
    description: 'Returns counters of requests and of indexing runs.',
    answer: { description: 'Metrics in the text format of Prometheus.', content: { 'text/plain': null } },
    errors: [],
  },
  getDocument: {
    id: 'getDocument',
    method: 'GET',
    path: '/openapi.json',
    tag: 'Catalog',
    summary: 'Get the OpenAPI document of the catalog',
    description: 'Returns this document.',
    answer: { description: 'The OpenAPI document.', content: { 'application/json': null } },
    errors: [],
  },
  getReference: {
    id: 'getReference',
    method: 'GET',
    path: '/docs',
    tag: 'Catalog',
    summary: 'Get the API reference as a page',
    description: 'Returns a page in HTML that shows this document.',
    answer: { description: 'The API reference in HTML.', content: { 'text/html': null } },
    errors: [],
  },
} as const satisfies Record<string, CatalogOperation>;

export type CatalogOperationId = keyof typeof catalogOperations;

export const allCatalogOperations: readonly CatalogOperation[] = Object.values(catalogOperations);

/**
 * Error codes that every operation of the catalog API can return, for invalid HTTP requests and for server problems.
 */
export const CATALOG_TRANSPORT_ERRORS = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal',
] as const satisfies CatalogErrorCode[];
