/** Schemas of templates from a catalog, for the API of a Davit instance. */
import { z } from 'zod';
import { CatalogManifest } from '../catalog/manifest.ts';
import { CatalogDetail, CatalogTemplate } from '../catalog/schemas.ts';
import { TEMPLATE_PROBLEM_CODES } from '../problems/template.ts';

const icon = {
  icon_url: z.string().describe('URL of the template icon on this instance.'),
};

/**
 * The URL of the owner's avatar is omitted. If the dashboard loaded the avatar, another server would learn the IP
 * addresses of the users.
 */
const listed = { ...CatalogTemplate.omit({ avatar_url: true }).shape, ...icon };

export const Template = z.object(listed).meta({ id: 'Template', description: 'Template in the catalog.' });
export type Template = z.infer<typeof Template>;

export const TemplatePage = z
  .object({
    templates: z.array(Template),
    next_cursor: z
      .string()
      .nullable()
      .describe('Value of `cursor` for the next page, with the same `q`, `tag` and `sort`. `null` on the last page.'),
  })
  .meta({ id: 'TemplatePage' });
export type TemplatePage = z.infer<typeof TemplatePage>;

export const Manifest = CatalogManifest.meta({
  id: 'Manifest',
  description:
    'Normalized content of `template.yaml`. Davit has added missing names, default values and full internal host names.',
});

export const TemplateDetail = z
  .object({ ...CatalogDetail.omit({ avatar_url: true }).shape, manifest: Manifest, ...icon })
  .meta({ id: 'TemplateDetail', description: 'All details of a template from the catalog.' });
export type TemplateDetail = z.infer<typeof TemplateDetail>;

export const TemplateTags = z.object({ tags: z.array(z.string()) }).meta({ id: 'TemplateTags' });
export type TemplateTags = z.infer<typeof TemplateTags>;

export const TemplateRelease = z
  .object({
    tag: z.string(),
    name: z.string(),
    url: z.string(),
    commit: z.string().describe('Full hash of the Git commit of the release.'),
    published_at: z.iso.datetime(),
  })
  .meta({ id: 'TemplateRelease', description: 'Template release in the catalog.' });
export type TemplateRelease = z.infer<typeof TemplateRelease>;

export const TemplateReleases = z
  .object({ releases: z.array(TemplateRelease).describe('Template releases, newest first.') })
  .meta({ id: 'TemplateReleases' });
export type TemplateReleases = z.infer<typeof TemplateReleases>;

/** Response fields about whether this instance can install the template. */
export const fitting = {
  fits: z.boolean().describe('Whether this instance can install the template.'),
  problem: z.string().optional().describe('Reason why the template cannot be installed, in one sentence.'),
  problem_code: z
    .enum(TEMPLATE_PROBLEM_CODES)
    .optional()
    .describe('Error code for the problem in the field `problem`.'),
};

export const TemplateManifest = z
  .object({
    release: z.string().describe('Tag of the template release.'),
    commit: z.string(),
    sha256: z.string().describe('SHA-256 hash of the manifest in hexadecimal.'),
    manifest: Manifest,
    ...fitting,
  })
  .meta({
    id: 'TemplateManifest',
    description: 'Manifest of a template release, and whether this instance can install the release.',
  });
export type TemplateManifest = z.infer<typeof TemplateManifest>;
