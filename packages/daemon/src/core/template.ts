/** The templates that the catalog lists, for who looks for one to install. */
import type { TemplateDetail, TemplateManifest, TemplatePage, TemplateReleases, TemplateTags } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { ListQuery } from '../installs/catalog/catalog.ts';
import { whyUnfit } from '../installs/manifest/fits.ts';
import type { FromCatalog } from '../installs/source/from-catalog.ts';
import type { Offered } from '../installs/source/offered.ts';
import type { Core } from './core.ts';

/** What a path names of a template. */
export interface TemplateName {
  owner: string;
  name: string;
}

export function listTemplates({ catalog }: Core, { signal }: OpContext, query: ListQuery): Promise<TemplatePage> {
  return catalog.list(query, signal);
}

export function listTemplateTags({ catalog }: Core, { signal }: OpContext): Promise<TemplateTags> {
  return catalog.tags(signal);
}

export function readTemplate({ catalog }: Core, { signal }: OpContext, at: TemplateName): Promise<TemplateDetail> {
  return catalog.template(at.owner, at.name, signal);
}

export function listReleases({ catalog }: Core, { signal }: OpContext, at: TemplateName): Promise<TemplateReleases> {
  return catalog.releases(at.owner, at.name, signal);
}

/** @throws DavitError not_found, template_invalid, catalog_unavailable */
export async function readManifest(core: Core, { signal }: OpContext, from: FromCatalog): Promise<TemplateManifest> {
  const { origin, manifest } = await offeredBy(core, from, signal);
  const problem = whyUnfit(manifest, core.facts.version);
  return {
    release: origin.release ?? '',
    commit: origin.commit ?? '',
    sha256: origin.sha256,
    manifest,
    fits: problem === null,
    ...(problem !== null && { problem }),
  };
}

/** A release of the catalog as it would be installed. Same errors. */
export async function offeredBy(
  { catalog, settings }: Core,
  from: FromCatalog,
  signal?: AbortSignal,
): Promise<Offered> {
  // With the validator, which is a tenth of all that the daemon would load at its start.
  const { offeredByCatalog } = await import('../installs/source/from-catalog.ts');
  return offeredByCatalog(catalog, from, { verifySource: settings().catalog.verify_source }, signal);
}

/** A picture of the catalog. @throws DavitError not_found */
export function readIcon({ catalog }: Core, repository: string, file: string): Promise<Uint8Array> {
  return catalog.icon(repository, file);
}
