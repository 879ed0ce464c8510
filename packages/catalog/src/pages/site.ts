import type { CatalogConfig } from '../config/config.ts';
import { type Assets, readAssets } from './assets.ts';

/** Data about the catalog that every page needs. */
export interface Site {
  config: CatalogConfig;
  assets: Assets;
  /** Returns the path of a page, with the base path of the public URL. */
  at(path: string): string;
}

export function createSite(config: CatalogConfig): Site {
  const base = new URL(config.url).pathname.replace(/\/+$/, '');
  return { config, assets: readAssets(), at: (path) => base + path };
}

/** Returns the path of the page of a template. */
export function templatePath(owner: string, name: string): string {
  return `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/** Returns the path of a listing. Absent and empty values are left out. */
export function listingPath(query: Record<string, string | null | undefined>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return parameters.length === 0 ? '/' : `/?${new URLSearchParams(parameters)}`;
}

/** Returns the path of the explanation of a code. */
export function codePath(code: string): string {
  return `/codes#${encodeURIComponent(code)}`;
}
