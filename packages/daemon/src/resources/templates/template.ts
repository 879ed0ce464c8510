/** Returns templates from the catalog in the format of the HTTP API. */
import type { TemplateDetail, TemplateManifest, TemplatePage, TemplateReleases, TemplateTags } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { ListQuery } from './catalog/catalog.ts';
import { publicFetch } from './catalog/public-fetch.ts';
import type { TemplatesDeps } from './deps.ts';
import { fitting, whyUnfit } from './manifest/fits.ts';
import type { FromCatalog } from './source/from-catalog.ts';
import type { Offered } from './source/offered.ts';

export interface TemplateName {
  owner: string;
  name: string;
}

export function listTemplates(
  { catalog }: TemplatesDeps,
  { signal }: OpContext,
  query: ListQuery,
): Promise<TemplatePage> {
  return catalog.list(query, signal);
}

export function listTemplateTags({ catalog }: TemplatesDeps, { signal }: OpContext): Promise<TemplateTags> {
  return catalog.tags(signal);
}

export function readTemplate(
  { catalog }: TemplatesDeps,
  { signal }: OpContext,
  at: TemplateName,
): Promise<TemplateDetail> {
  return catalog.template(at.owner, at.name, signal);
}

export function listTemplateReleases(
  { catalog }: TemplatesDeps,
  { signal }: OpContext,
  at: TemplateName,
): Promise<TemplateReleases> {
  return catalog.releases(at.owner, at.name, signal);
}

/**
 * Returns the manifest of a template release.
 * @throws DavitError not_found, template_invalid, catalog_unavailable
 */
export async function readManifest(
  core: TemplatesDeps,
  { signal }: OpContext,
  from: FromCatalog,
): Promise<TemplateManifest> {
  const { origin, manifest } = await offeredBy(core, from, signal);
  return {
    release: origin.release ?? '',
    commit: origin.commit ?? '',
    sha256: origin.sha256,
    manifest,
    ...fitting(whyUnfit(manifest, core.facts.version)),
  };
}

/**
 * Returns a template release from the catalog for an installation.
 * @throws DavitError not_found, template_invalid, catalog_unavailable
 */
export async function offeredBy(
  { catalog, settings, isOpenAddress }: TemplatesDeps,
  from: FromCatalog,
  signal?: AbortSignal,
): Promise<Offered> {
  // Load the validator only if it is needed, because it is about a tenth of the daemon's code.
  const { offeredByCatalog } = await import('./source/from-catalog.ts');
  const verifyWith = settings().catalog.verify_source ? publicFetch(isOpenAddress) : null;
  return offeredByCatalog(catalog, from, verifyWith, signal);
}

/**
 * Returns a template icon from the catalog.
 * @throws DavitError not_found
 */
export function readIcon({ catalog }: TemplatesDeps, repository: string, file: string): Promise<Uint8Array> {
  return catalog.icon(repository, file);
}
