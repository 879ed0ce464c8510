/** Reads from a host that nobody here answers for: within a time, up to a size, from where it was asked and nowhere else. */
import { DavitError } from '@davit/api';
import { quote } from '@davit/service';

export interface FetchBounds {
  /** Who is asked, for sentences: «The catalog», «raw.githubusercontent.com». */
  who: string;
  mostBytes: number;
  /** What it may be, without parameters; null: anything. */
  types: readonly string[] | null;
  timeoutMs: number;
  accept: string;
}

/** The part of `fetch` that is needed. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface Fetched {
  status: number;
  bytes: Uint8Array;
}

/**
 * @returns what was answered with 200 or an error status, with the body of it
 * @throws DavitError catalog_unavailable with the reason
 */
export async function fetchBounded(
  url: string,
  bounds: FetchBounds,
  ask: FetchFunction = fetch,
  caller?: AbortSignal,
): Promise<Fetched> {
  const { who, timeoutMs, accept } = bounds;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller === undefined ? timeout : AbortSignal.any([timeout, caller]);
  try {
    const response = await ask(url, { redirect: 'manual', signal, headers: { accept } });
    await demandPlain(response, bounds);
    return { status: response.status, bytes: await bytesOf(response, bounds) };
  } catch (error) {
    if (error instanceof DavitError) throw error;
    if (caller?.aborted) throw caller.reason;
    const why = timeout.aborted ? `did not answer within ${timeoutMs / 1000} seconds` : 'does not answer';
    throw away(`${who} ${why}: try again shortly, or check its address in the settings.`, error);
  }
}

/** What is not wanted is not read to its end either: nothing stays open for it. */
async function demandPlain(response: Response, bounds: FetchBounds): Promise<void> {
  const problem = problemOf(response, bounds);
  if (problem === null) return;
  await response.body?.cancel();
  throw away(problem);
}

function problemOf({ status, headers }: Response, { who, types }: FetchBounds): string | null {
  if (status >= 300 && status < 400) return `${who} sends elsewhere (HTTP ${status}), which is not followed.`;
  if (status !== 200 || types === null) return null;
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return types.includes(type) ? null : `${who} answered «${quote(type)}» where ${types[0]} was expected.`;
}

async function bytesOf(response: Response, { who, mostBytes }: FetchBounds): Promise<Uint8Array> {
  const tooLarge = () => away(`${who} answered more than ${mostBytes / 1024} KiB, which is not read.`);
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
