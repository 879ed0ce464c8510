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
  summary: 'List the templates of the catalog',
  description: 'A page of what the catalog that the settings name lists; icons are served by this instance.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    q: z.string().max(LONGEST_SEARCH).optional().describe('What its name or description says.'),
    tag: z.string().max(100).optional().describe('Only those with this tag.'),
    sort: z
      .enum(SORTS, `must be one of ${SORTS.join(', ')}`)
      .optional()
      .describe('Absent: `recent`.'),
    limit: queryInteger(LIMIT.least, LIMIT.most).optional().describe(`How many at most; absent: ${LIMIT.usual}.`),
    cursor: z.string().max(2_000).optional().describe('The `next_cursor` of the page before.'),
  }),
  errors: ['catalog_unavailable'],
  responses: { 200: { description: 'A page of templates.', schema: TemplatePage } },
  tool: { reachesOut: true, tellsText: true },
});

export const listTemplateTags = operation({
  id: 'listTemplateTags',
  method: 'GET',
  path: '/template-tags',
  tag,
  summary: 'List the tags of the catalog’s templates',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  errors: ['catalog_unavailable'],
  responses: { 200: { description: 'The tags, sorted.', schema: TemplateTags } },
});

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'GET',
  path,
  tag,
  summary: 'Read a template of the catalog',
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
  responses: { 200: { description: 'Those that can be installed, newest first.', schema: TemplateReleases } },
  tool: { reachesOut: true, tellsText: true },
});

export const getTemplateManifest = operation({
  id: 'getTemplateManifest',
  method: 'GET',
  path: `${path}/manifest`,
  tag,
  summary: 'Read what an install of a template starts from',
  description:
    'The manifest as the catalog has it, after this instance has checked it by itself, and whether it fits here. What is not a valid template is refused with the reason.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  params: TemplatePath,
  query: z.strictObject({
    release: z.string().max(255).optional().describe('A release’s tag. Absent: the one that the catalog lists.'),
  }),
  errors: ['not_found', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: { description: 'The manifest.', schema: TemplateManifest } },
  tool: { reachesOut: true, tellsText: true },
});
