import type { CatalogConfig } from '../config/config.ts';
import { type Assets, readAssets } from './assets.ts';

/** Data of the catalog that all web pages need, such as its configuration and static files. */
export interface Site {
  config: CatalogConfig;
  assets: Assets;
  /** Prepends the path of the catalog's public URL to a path. */
  at(path: string): string;
}

export function createSite(config: CatalogConfig): Site {
  const base = new URL(config.url).pathname.replace(/\/+$/, '');
  return { config, assets: readAssets(), at: (path) => base + path };
}

/** Returns the path of a template's web page. */
export function templatePath(owner: string, name: string): string {
  return `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** Returns the path of the listing page with query parameters. Empty and absent parameters are left out. */
export function listingPath(query: Record<string, string | null | undefined>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return parameters.length === 0 ? '/' : `/?${new URLSearchParams(parameters)}`;
}

/** Returns the path of the web page that explains diagnostic codes, with the anchor of a code. */
export function codePath(code: string): string {
  return `/codes#${encodeURIComponent(code)}`;
}
