/**
 * HTTP client of the template catalog. It does not validate manifests, because every installation validates its
 * manifest.
 */
import {
  DavitError,
  type Template,
  type TemplateDetail,
  type TemplatePage,
  type TemplateRelease,
  type TemplateReleases,
  type TemplateTags,
} from '@davit/api';
import { CatalogDetail, CatalogFailure, CatalogPage, CatalogReleases, CatalogTags } from '@davit/api/catalog.ts';
import { JsonRefused, parseJsonObject, quote } from '@davit/service';
import type { z } from 'zod';
import { MANIFEST_BYTES } from '../manifest/same.ts';
import { type Fetched, type FetchFunction, fetchBounded } from './fetch-bounded.ts';

const TIMEOUT_MS = 20_000;
const LISTING_BYTES = 4 * 1024 * 1024;
const ICON_BYTES = 1024 * 1024;
const WHO = 'The catalog';
/**
 * Maximum number of fields and items in a JSON response of the template catalog. Every valid template is below this
 * number.
 */
const MOST_VALUES = 200_000;
const NO_CATALOG =
  'The instance has no template catalog. Set “catalog.url” in the settings, or DAVIT_INSTANCE_CATALOG_URL.';

export type ListQuery = Partial<Record<'q' | 'tag' | 'sort' | 'cursor', string | undefined>> & {
  limit?: number | undefined;
};

/** Template release in the format of the catalog. It includes the Git tag and the commit. */
export interface NamedRelease {
  tag: string;
  commit: string;
}

export interface CatalogOptions {
  /** Returns the catalog address from the settings of the instance, or `null` if no catalog is set. */
  url: () => string | null;
  ask?: FetchFunction;
}

export class Catalog {
  readonly #url: () => string | null;
  readonly #fetch: FetchFunction;

  constructor({ url, ask: fetchFunction = fetch }: CatalogOptions) {
    this.#url = url;
    this.#fetch = fetchFunction;
  }

  /**
   * Returns the catalog address without a slash at the end.
   * @throws DavitError catalog_unavailable if no catalog is set
   */
  get url(): string {
    const url = this.#url();
    if (url === null) throw new DavitError('catalog_unavailable', NO_CATALOG);
    return url.replace(/\/+$/, '');
  }

  async list(query: ListQuery, signal?: AbortSignal): Promise<TemplatePage> {
    const { templates, next_cursor } = await this.#read('/templates', CatalogPage, { query, signal });
    return { templates: templates.map(listed), next_cursor };
  }

  tags(signal?: AbortSignal): Promise<TemplateTags> {
    return this.#read('/tags', CatalogTags, { signal });
  }

  /** Returns a template with its details. @throws DavitError not_found if the catalog does not have the template */
  async template(owner: string, name: string, signal?: AbortSignal): Promise<TemplateDetail> {
    const { avatar_url: _, ...detail } = await this.#read(pathOf(owner, name), CatalogDetail, { signal });
    return { ...detail, icon_url: iconPath(detail.icon_url) };
  }

  /**
   * Returns the releases of a template that the catalog has published.
   * @throws DavitError not_found
   */
  async releases(owner: string, name: string, signal?: AbortSignal): Promise<TemplateReleases> {
    const { releases } = await this.#read(`${pathOf(owner, name)}/releases`, CatalogReleases, { signal });
    const accepted = releases.filter(({ status }) => status === 'accepted');
    return { releases: accepted.map(({ status: _, problems: __, ...release }) => release satisfies TemplateRelease) };
  }

  /**
   * Returns the manifest of a template release. Does not validate the response of the catalog.
   * @throws DavitError not_found
   */
  async manifest(owner: string, name: string, release: string, signal?: AbortSignal): Promise<unknown> {
    const path = `${pathOf(owner, name)}/manifest`;
    return jsonOf(await this.#get(path, { query: { release }, signal, most: MANIFEST_BYTES }));
  }

  /**
   * Returns the PNG file of a template icon.
   * @throws DavitError not_found
   */
  async icon(repository: string, file: string, signal?: AbortSignal): Promise<Uint8Array> {
    const path = `/icons/${encodeURIComponent(repository)}/${encodeURIComponent(file)}`;
    const { bytes } = await this.#get(path, { signal, most: ICON_BYTES, type: 'image/png' });
    return bytes;
  }

  async #read<S extends z.ZodType>(path: string, schema: S, options: ReadOptions): Promise<z.output<S>> {
    const parsed = schema.safeParse(jsonOf(await this.#get(path, options)));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new DavitError(
      'catalog_unavailable',
      `${WHO} sent a response that is not valid at “${quote(where)}”. Check its address in the settings.`,
    );
  }

  async #get(path: string, { query = {}, signal, most = LISTING_BYTES, type = 'application/json' }: ReadOptions) {
    const searchParams = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) searchParams.set(name, String(value));
    const url = `${this.url}/api/v1${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`;
    const bounds = { who: WHO, mostBytes: most, types: [type], timeoutMs: TIMEOUT_MS, accept: type };
    const fetched = await fetchBounded(url, bounds, this.#fetch, signal);
    if (fetched.status !== 200) throw refusal(fetched);
    return fetched;
  }
}

interface ReadOptions {
  query?: ListQuery | { release: string };
  signal?: AbortSignal | undefined;
  most?: number;
  type?: string;
}

/** Converts the catalog's URL of a template icon to the URL path of the same icon on this instance. */
function iconPath(url: string): string {
  const [repository = '', file = ''] = new URL(url).pathname.split('/').slice(-2);
  return `/api/template-icons/${repository}/${file}`;
}

/**
 * Returns the id of a Git repository in the catalog. The id is read from the icon's URL. Returns `null` if the URL
 * contains no id.
 */
export function repositoryIdOf(iconUrl: string): string | null {
  const [id = ''] = iconUrl.split('/').slice(-2);
  return /^-?\d{1,20}$/.test(id) ? id : null;
}

function listed({ avatar_url: _, ...template }: z.output<typeof CatalogPage>['templates'][number]): Template {
  return { ...template, icon_url: iconPath(template.icon_url) };
}

/**
 * @throws DavitError not_found for an empty name and for the names `.` and `..`, which would lead to another path of
 * the catalog
 */
function pathOf(owner: string, name: string): string {
  if ([owner, name].some((part) => /^\.{0,2}$/.test(part)))
    throw new DavitError('not_found', `${WHO} does not have the template ${owner}/${name}. Check its name.`);
  return `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}

/**
 * Parses a JSON response of the catalog with the same strict rules as a request body. Duplicate keys and deep nesting
 * cause an error.
 */
function jsonOf({ bytes }: Fetched): unknown {
  try {
    return parseJsonObject(bytes, MOST_VALUES);
  } catch (cause) {
    if (!(cause instanceof JsonRefused)) throw cause;
    throw new DavitError(
      'catalog_unavailable',
      `${WHO} sent a response that is not valid. ${cause.problem} Check its address in the settings.`,
      { cause },
    );
  }
}

/**
 * Converts an error response of the catalog to a `DavitError`. If the catalog rejects a query, users see the message of
 * the catalog. Messages of other errors are not shown.
 */
function refusal({ status, bytes }: Fetched): DavitError {
  const catalogError = catalogErrorIn(new TextDecoder().decode(bytes));
  if (catalogError?.code === 'not_found')
    return new DavitError(
      'not_found',
      'The catalog does not have this template or release. Check the name and the release.',
    );
  if (catalogError?.code === 'invalid_query') return new DavitError('invalid_input', quote(catalogError.message));
  return new DavitError('catalog_unavailable', `${WHO} responded with status ${status}. Try again later.`);
}

function catalogErrorIn(text: string): z.output<typeof CatalogFailure>['error'] | null {
  try {
    return CatalogFailure.parse(JSON.parse(text)).error;
  } catch {
    // Use only the HTTP status. The body does not come from the catalog, and may be an error page of a proxy.
    return null;
  }
}
