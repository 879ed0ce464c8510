/** What an instance says of the templates that its catalog lists. */
import { z } from 'zod';
import { CatalogManifest } from '../catalog/manifest.ts';
import { CatalogDetail, CatalogTemplate } from '../catalog/schemas.ts';
import { TEMPLATE_PROBLEM_CODES } from '../template-problem.ts';

const icon = {
  icon_url: z.string().describe('Its icon, served by this instance.'),
};

/** The catalog’s own host never sees who looks at a template here, so the picture of its owner is left out. */
const listed = { ...CatalogTemplate.omit({ avatar_url: true }).shape, ...icon };

export const Template = z.object(listed).meta({ id: 'Template', description: 'A template as the catalog lists it.' });
export type Template = z.infer<typeof Template>;

export const TemplatePage = z
  .object({
    templates: z.array(Template),
    next_cursor: z.string().nullable().describe('For `cursor`, with the same `q`, `tag` and `sort`; null: no more.'),
  })
  .meta({ id: 'TemplatePage' });
export type TemplatePage = z.infer<typeof TemplatePage>;

export const TemplateDetail = z
  .object({ ...CatalogDetail.omit({ avatar_url: true }).shape, ...icon })
  .meta({ id: 'TemplateDetail', description: 'A template with everything that the catalog knows of it.' });
export type TemplateDetail = z.infer<typeof TemplateDetail>;

export const TemplateTags = z.object({ tags: z.array(z.string()) }).meta({ id: 'TemplateTags' });
export type TemplateTags = z.infer<typeof TemplateTags>;

export const TemplateRelease = z
  .object({
    tag: z.string(),
    name: z.string(),
    url: z.string(),
    commit: z.string().describe('The commit that the release is of, whole.'),
    published_at: z.iso.datetime(),
  })
  .meta({ id: 'TemplateRelease', description: 'A release that the catalog accepted.' });
export type TemplateRelease = z.infer<typeof TemplateRelease>;

export const TemplateReleases = z
  .object({ releases: z.array(TemplateRelease).describe('Newest first.') })
  .meta({ id: 'TemplateReleases' });
export type TemplateReleases = z.infer<typeof TemplateReleases>;

export const Manifest = CatalogManifest.meta({
  id: 'Manifest',
  description: 'A template normalized: names filled in, defaults applied, internal host names spelled out.',
});

/** Whether a manifest can be installed here. */
export const fitting = {
  fits: z.boolean().describe('This instance can install it.'),
  problem: z.string().optional().describe('Why it does not fit, in a sentence.'),
  problem_code: z.enum(TEMPLATE_PROBLEM_CODES).optional().describe('Code of `problem`.'),
};

export const TemplateManifest = z
  .object({
    release: z.string().describe('The tag that it is of.'),
    commit: z.string(),
    sha256: z.string().describe('Of the manifest: hexadecimal.'),
    manifest: Manifest,
    ...fitting,
  })
  .meta({ id: 'TemplateManifest', description: 'What an install of a release starts from; checked by this instance.' });
export type TemplateManifest = z.infer<typeof TemplateManifest>;
