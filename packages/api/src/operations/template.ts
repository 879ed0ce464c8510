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
  description: 'Returns a page of templates from the catalog in the settings. Icon URLs lead to this instance.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    q: z
      .string()
      .max(LONGEST_SEARCH)
      .optional()
      .describe('Text that the name of the repository or the description contains.'),
    tag: z.string().max(100).optional().describe('Tag that the templates have.'),
    sort: z
      .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
      .optional()
      .describe('Sort order: `recent` (newest release first) or `stars`. Default: `recent`.'),
    limit: queryInteger(LIMIT.least, LIMIT.most)
      .optional()
      .describe(`Maximum number of results. Default: ${LIMIT.usual}.`),
    cursor: z.string().max(2_000).optional().describe('Value of `next_cursor` in the previous page.'),
  }),
  errors: ['catalog_unavailable'],
  responses: { 200: { description: 'Page of templates.', schema: TemplatePage } },
  tool: { reachesOut: true, tellsText: true },
});

export const listTemplateTags = operation({
  id: 'listTemplateTags',
  method: 'GET',
  path: '/template-tags',
  tag,
  summary: 'List the tags of templates',
  description: 'Returns every tag of a template that the catalog lists.',
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
  tool: { reachesOut: true, tellsText: true },
});

export const getTemplateManifest = operation({
  id: 'getTemplateManifest',
  method: 'GET',
  path: `${path}/manifest`,
  tag,
  summary: 'Get the manifest of a template',
  description:
    'Returns the manifest from the catalog, and whether this instance can install the template. The instance validates the manifest itself. If the manifest is not valid, the error has the reason.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: TemplatePath,
  query: z.strictObject({
    release: z
      .string()
      .max(255)
      .optional()
      .describe('Tag of a template release. Default: the release that the catalog lists.'),
  }),
  errors: ['not_found', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: { description: 'The manifest.', schema: TemplateManifest } },
  tool: { reachesOut: true, tellsText: true },
});
