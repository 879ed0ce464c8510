/** Downloads files from untrusted hosts. Downloads have a timeout and a size limit, and do not follow redirects. */
import { count, DavitError } from '@davit/api';
import { quote } from '@davit/service';

export interface FetchBounds {
  /**
   * Name of the host in error messages about a download, for example `The catalog` or `raw.githubusercontent.com`.
   */
  who: string;
  mostBytes: number;
  /** Accepted media types without parameters, or `null` to accept every media type. */
  types: readonly string[] | null;
  timeoutMs: number;
  accept: string;
}

/** Part of the TypeScript type of `fetch` that this file uses. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface Fetched {
  status: number;
  bytes: Uint8Array;
}

/**
 * Sends a GET request and reads the whole body.
 * @returns status and body of the response, even if the status is an error
 * @throws DavitError catalog_unavailable with the reason
 */
export async function fetchBounded(
  url: string,
  bounds: FetchBounds,
  fetchFunction: FetchFunction = fetch,
  caller?: AbortSignal,
): Promise<Fetched> {
  const { who, timeoutMs, accept } = bounds;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller === undefined ? timeout : AbortSignal.any([timeout, caller]);
  try {
    const response = await fetchFunction(url, { redirect: 'manual', signal, headers: { accept } });
    await demandPlain(response, bounds);
    return { status: response.status, bytes: await bytesOf(response, bounds) };
  } catch (error) {
    if (error instanceof DavitError) throw error;
    if (caller?.aborted) throw caller.reason;
    const problem = timeout.aborted
      ? `${who} did not respond within ${count(timeoutMs / 1000, 'second')}.`
      : `${who} does not respond.`;
    throw away(`${problem} Try again later, or check its address in the settings.`, error);
  }
}

/** If a response is a redirect or has a wrong media type, closes the connection and throws an error. */
async function demandPlain(response: Response, bounds: FetchBounds): Promise<void> {
  const problem = problemOf(response, bounds);
  if (problem === null) return;
  await response.body?.cancel();
  throw away(problem);
}

function problemOf({ status, headers }: Response, { who, types }: FetchBounds): string | null {
  if (status >= 300 && status < 400)
    return `${who} redirects (HTTP ${status}), and Davit does not follow redirects. Set the final address.`;
  if (status !== 200 || types === null) return null;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return types.includes(type)
    ? null
    : `${who} sent a response of the type “${quote(type)}” instead of ${types[0]}. Check its address.`;
}

async function bytesOf(response: Response, { who, mostBytes }: FetchBounds): Promise<Uint8Array> {
  const tooLarge = () =>
    away(`${who} sent a response of more than ${mostBytes / 1024} KiB, which is the limit. Check its address.`);
  if (Number(response.headers.get('content-length') ?? 0) > mostBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function away(message: string, cause?: unknown): DavitError {
  return new DavitError('catalog_unavailable', message, { ...(cause !== undefined && { cause }) });
}
