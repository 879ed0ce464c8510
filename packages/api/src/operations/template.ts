import { z } from 'zod';
import { LIMIT, LONGEST_SEARCH, SORTS } from '../catalog/limits.ts';
import { operation } from '../operation.ts';
import { queryInteger } from '../schemas/common.ts';
import { TemplateDetail, TemplateManifest, TemplatePage, TemplateReleases, TemplateTags } from '../schemas/template.ts';

import { TemplatePath } from './template-paths.ts';

const tag = 'Templates';
const path = '/templates/{owner}/{name}';

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates',
  tag,
  summary: 'List templates',
  description:
    'Returns a page of templates from the template catalog that the setting `catalog.url` specifies. Icon URLs point to this instance, not to the catalog.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    q: z
      .string()
      .max(LONGEST_SEARCH)
      .optional()
      .describe('Text to search for in the name and the description of each template’s Git repository.'),
    tag: z
      .string()
      .max(100)
      .optional()
      .describe('Filter by tag (topic) of the templates. Default: templates with any tags.'),
    sort: z
      .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
      .optional()
      .describe('Sort order: `recent` (newest release first) or `stars`. Default: `recent`.'),
    limit: queryInteger(LIMIT.least, LIMIT.most)
      .optional()
      .describe(`Maximum number of results. Default: ${LIMIT.usual}.`),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .describe('Cursor of the page: the value of `next_cursor` in the previous page.'),
  }),
  errors: ['catalog_unavailable'],
  responses: { 200: { description: 'Page of templates.', schema: TemplatePage } },
  // The template catalog is public, so its data is not secret.
  returnsSecrets: false,
  tool: { reachesOut: true, tellsText: true },
});

export const listTemplateTags = operation({
  id: 'listTemplateTags',
  method: 'GET',
  path: '/template-tags',
  tag,
  summary: 'List the tags of templates',
  description: 'Returns the tags (topics) of all templates in the catalog.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  errors: ['catalog_unavailable'],
  responses: { 200: { description: 'Tags in alphabetical order.', schema: TemplateTags } },
});

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'GET',
  path,
  tag,
  summary: 'Get a template',
  description: 'Returns a template of the catalog, with its readme and its manifest.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: TemplatePath,
  errors: ['not_found', 'catalog_unavailable'],
  responses: { 200: { description: 'The template.', schema: TemplateDetail } },
  // The template catalog is public, so its data is not secret.
  returnsSecrets: false,
  tool: { reachesOut: true, tellsText: true },
});

export const listTemplateReleases = operation({
  id: 'listTemplateReleases',
  method: 'GET',
  path: `${path}/releases`,
  tag,
  summary: 'List the releases of a template',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: TemplatePath,
  errors: ['not_found', 'catalog_unavailable'],
  responses: {
    200: { description: 'Template releases that can be installed, newest first.', schema: TemplateReleases },
  },
  // The template catalog is public, so its data is not secret.
  returnsSecrets: false,
  tool: { reachesOut: true, tellsText: true },
});

export const getTemplateManifest = operation({
  id: 'getTemplateManifest',
  method: 'GET',
  path: `${path}/manifest`,
  tag,
  summary: 'Get the manifest of a template',
  description:
    'Returns the manifest (the normalized template) from the catalog, and whether this instance can install the template. The instance also validates the manifest. If the manifest is not valid, the error has the reason.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: TemplatePath,
  query: z.strictObject({
    release: z
      .string()
      .max(255)
      .optional()
      .describe('Tag of a template release. Default: the newest release in the catalog that has no errors.'),
  }),
  errors: ['not_found', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: { description: 'The manifest.', schema: TemplateManifest } },
  // The template catalog is public, so its data is not secret.
  returnsSecrets: false,
  tool: { reachesOut: true, tellsText: true },
});
