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

/** One operation of the catalog API. */
export interface CatalogOperation {
  id: string;
  method: 'GET' | 'POST';
  /** Path below `/api/v1`, with `{name}` parameters. */
  path: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Media types of the body. */
  body?: readonly string[];
  answer: {
    description: string;
    /** Schemas of the body by media type. `null` if there is no schema. */
    content: Record<string, z.ZodType | null>;
  };
  errors: readonly CatalogErrorCode[];
}

const Repository = z.object({
  owner: z.string().describe('Whatever the case of its letters.'),
  name: z.string().describe('The repository’s, whatever the case of its letters.'),
});

const ListQuery = z.object({
  q: z
    .string()
    .optional()
    .describe(
      `A part of the repository’s name or description, at most ${LONGEST_SEARCH} code points. The case of letters and their marks do not matter; in names a hyphen, an underscore and a space are the same.`,
    )
    .meta({ examples: ['uptime kuma'] }),
  tag: z.string().optional().describe('One of the repository’s topics, as it is written.'),
  sort: z.enum(SORTS).default('recent').describe('Order of the templates: newest release first, or most stars first.'),
  limit: z.int().min(LIMIT.least).max(LIMIT.most).default(LIMIT.usual),
  cursor: z.string().optional().describe('The previous page’s `next_cursor`, with the same `q`, `tag` and `sort`.'),
});

const json = (schema: z.ZodType) => ({ 'application/json': schema });

/** All operations by id. The meaning of an operation never changes. */
export const catalogOperations = {
  listTemplates: {
    id: 'listTemplates',
    method: 'GET',
    path: '/templates',
    summary: 'List templates',
    query: ListQuery,
    answer: { description: 'A page of the listing.', content: json(CatalogPage) },
    errors: ['invalid_query', 'unavailable'],
  },
  getTemplate: {
    id: 'getTemplate',
    method: 'GET',
    path: '/templates/{owner}/{name}',
    summary: 'One template',
    params: Repository,
    answer: { description: 'The template.', content: json(CatalogDetail) },
    errors: ['not_found', 'unavailable'],
  },
  getManifest: {
    id: 'getManifest',
    method: 'GET',
    path: '/templates/{owner}/{name}/manifest',
    summary: 'The manifest alone, which is what an instance reads',
    params: Repository,
    query: z.object({
      release: z.string().optional().describe('The tag of an accepted release; without it, the listed one.'),
    }),
    answer: { description: 'The manifest.', content: json(CatalogManifest) },
    errors: ['invalid_query', 'not_found', 'unavailable'],
  },
  listReleases: {
    id: 'listReleases',
    method: 'GET',
    path: '/templates/{owner}/{name}/releases',
    summary: 'Every release that the catalog read, newest first',
    params: Repository,
    answer: { description: 'The releases.', content: json(CatalogReleases) },
    errors: ['not_found', 'unavailable'],
  },
  listTags: {
    id: 'listTags',
    method: 'GET',
    path: '/tags',
    summary: 'Every topic that a listed template carries',
    answer: { description: 'The topics.', content: json(CatalogTags) },
    errors: ['unavailable'],
  },
  getIcon: {
    id: 'getIcon',
    method: 'GET',
    path: '/icons/{repository}/{commit}.png',
    summary: 'The icon that `icon_url` names',
    params: z.object({
      repository: z.string().regex(/^\d+$/).describe('The repository’s number.'),
      commit: z
        .string()
        .regex(/^[0-9a-f]{7,64}$/)
        .describe('The commit of the release, whole.'),
    }),
    answer: { description: 'The icon, which never changes.', content: { 'image/png': null } },
    errors: ['not_found', 'unavailable'],
  },
  validateTemplate: {
    id: 'validateTemplate',
    method: 'POST',
    path: '/validate',
    summary: 'Check a template without publishing it',
    description: 'Any text is answered, a broken one with what is wrong. Nothing of it is kept.',
    body: TEMPLATE_TYPES,
    answer: { description: 'What the catalog would say of the file.', content: json(CatalogValidation) },
    errors: ['too_large', 'unsupported_media_type', 'unavailable'],
  },
  getTemplateSchema: {
    id: 'getTemplateSchema',
    method: 'GET',
    path: '/schema/template/v1.json',
    summary: 'The JSON Schema of template.yaml, for editors',
    answer: { description: 'The schema.', content: { 'application/schema+json': null } },
    errors: [],
  },
  getHealth: {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    summary: 'How the catalog is',
    answer: { description: 'It answers; the body says how the last pass went.', content: json(CatalogHealth) },
    errors: [],
  },
  getMetrics: {
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    answer: { description: 'Prometheus’ text form.', content: { 'text/plain': null } },
    errors: [],
  },
  getDocument: {
    id: 'getDocument',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    answer: { description: 'The document.', content: { 'application/json': null } },
    errors: [],
  },
  getReference: {
    id: 'getReference',
    method: 'GET',
    path: '/docs',
    summary: 'The reference that is rendered from this document',
    answer: { description: 'A page.', content: { 'text/html': null } },
    errors: [],
  },
} as const satisfies Record<string, CatalogOperation>;

export type CatalogOperationId = keyof typeof catalogOperations;

export const allCatalogOperations: readonly CatalogOperation[] = Object.values(catalogOperations);

/** Errors of any request that concern the HTTP request and not the operation. */
export const CATALOG_TRANSPORT_ERRORS = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal',
] as const satisfies CatalogErrorCode[];
