import { CatalogError } from './errors.ts';
import type { SORTS } from './limits.ts';
import type { CatalogManifest } from './manifest.ts';
import type {
  CatalogDetail,
  CatalogFailure,
  CatalogPage,
  CatalogReleases,
  CatalogTags,
  CatalogValidation,
} from './schemas.ts';

/** The part of the `fetch` API that the catalog client uses. */
export type CatalogFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

export interface CatalogListQuery {
  q?: string;
  tag?: string;
  sort?: (typeof SORTS)[number];
  limit?: number;
  cursor?: string;
}

/**
 * Client for the API of a template catalog. Each method rejects with a `CatalogError` if the catalog refuses the
 * request.
 */
export interface CatalogClient {
  list(query?: CatalogListQuery): Promise<CatalogPage>;
  template(owner: string, name: string): Promise<CatalogDetail>;
  /**
   * Returns the manifest of a template release.
   * @param release tag of the release. Default: the newest accepted release
   */
  manifest(owner: string, name: string, release?: string): Promise<CatalogManifest>;
  releases(owner: string, name: string): Promise<CatalogReleases>;
  tags(): Promise<CatalogTags>;
  validate(source: string): Promise<CatalogValidation>;
}

/**
 * Creates a client for the API of a template catalog.
 * @param options `url` is the public URL of the catalog, such as `https://templates.example.com`
 */
export function createCatalogClient({
  url,
  fetch: sendRequest = fetch,
}: {
  url: string;
  fetch?: CatalogFetch;
}): CatalogClient {
  const root = `${url.replace(/\/+$/, '')}/api/v1`;
  const send = async <T>(path: string, query: object = {}, body?: string): Promise<T> => {
    const searchParams = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) searchParams.set(name, String(value));
    const response = await sendRequest(`${root}${path}${searchParams.size > 0 ? `?${searchParams}` : ''}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/yaml' }) },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw await refusal(response);
    return (await response.json()) as T;
  };
  const of = (owner: string, name: string) => `/templates/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  return {
    list: (query) => send('/templates', query),
    template: (owner, name) => send(of(owner, name)),
    manifest: (owner, name, release) => send(`${of(owner, name)}/manifest`, { release }),
    releases: (owner, name) => send(`${of(owner, name)}/releases`),
    tags: () => send('/tags'),
    validate: (source) => send('/validate', {}, source),
  };
}

async function refusal(response: Response): Promise<CatalogError> {
  const text = await response.text();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const { status } = response;
  const known = { status, ...(Number.isFinite(seconds) && { retryAfterS: seconds }) };
  const failure = failureIn(text);
  if (failure === null) return new CatalogError('unexpected_response', `HTTP ${status}`, known);
  return new CatalogError(failure.error.code, failure.error.message, known);
}

/**
 * Parses an error response of the catalog. Returns `null` if the response has another format, for example because a
 * proxy sent the response.
 */
function failureIn(text: string): CatalogFailure | null {
  try {
    const body = JSON.parse(text) as Partial<CatalogFailure> | null;
    const { code, message } = body?.error ?? {};
    // An unknown error code is returned unchanged, because a newer version of the catalog may send it.
    return typeof code === 'string' && typeof message === 'string' ? { error: { code, message } } : null;
  } catch {
    // A response that is not JSON was not sent by the catalog. The error then contains only the HTTP status.
    return null;
  }
}
