import type { CatalogConfig } from '../config/config.ts';
import { type Assets, readAssets } from './assets.ts';

/** What every page needs to know of the catalog it belongs to. */
export interface Site {
  config: CatalogConfig;
  assets: Assets;
  /** An address of this catalog from its root: with the path that the public address may have. */
  at(path: string): string;
}

export function createSite(config: CatalogConfig): Site {
  const base = new URL(config.url).pathname.replace(/\/+$/, '');
  return { config, assets: readAssets(), at: (path) => base + path };
}

/** The page of a template. */
export function templatePath(owner: string, name: string): string {
  return `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** A listing; what is absent or empty is left out. */
export function listingPath(query: Record<string, string | null | undefined>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return parameters.length === 0 ? '/' : `/?${new URLSearchParams(parameters)}`;
}

/** Where a code is explained. */
export function codePath(code: string): string {
  return `/codes#${encodeURIComponent(code)}`;
}
