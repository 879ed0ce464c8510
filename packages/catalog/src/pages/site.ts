import type { CatalogConfig } from '../config/config.ts';
import { type Assets, readAssets } from './assets.ts';

/** Data that all web pages of the catalog need, such as the configuration and the static files. */
export interface Site {
  config: CatalogConfig;
  assets: Assets;
  /** Adds the path of the catalog's public URL before the given path. */
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

/** Returns the path of the template list page with query parameters. Empty and absent parameters are omitted. */
export function listingPath(query: Record<string, string | null | undefined>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return parameters.length === 0 ? '/' : `/?${new URLSearchParams(parameters)}`;
}

/** Returns the path of the web page that explains diagnostic codes. The path ends with the anchor of the given code. */
export function codePath(code: string): string {
  return `/codes#${encodeURIComponent(code)}`;
}
