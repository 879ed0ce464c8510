import { rawAddress } from './address.ts';
import { atMost, type CommandIo, UnreadableError } from './io.ts';

const TIMEOUT_MS = 20_000;

/**
 * Downloads a template file. If the file is larger than `maxBytes`, returns only `maxBytes` + 1 bytes.
 * @throws UnreadableError if there is no file or no response
 */
export async function fetchFile(target: string, maxBytes: number, io: CommandIo): Promise<Uint8Array> {
  const address = rawAddress(target);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([io.signal, timeout]);
  try {
    const response = await io.fetch(address, { signal, headers: { accept: 'text/plain, */*' } });
    if (!response.ok) throw new UnreadableError(refusal(address, response.status));
    if (response.headers.get('content-type')?.startsWith('text/html')) {
      throw new UnreadableError(`${address} is a web page, not a file. Use the address of the file itself.`);
    }
    return response.body === null ? new Uint8Array() : await atMost(response.body, maxBytes);
  } catch (error) {
    if (error instanceof UnreadableError || io.signal.aborted) throw error;
    throw new UnreadableError(
      `${address} ${timeout.aborted ? `did not respond within ${TIMEOUT_MS / 1_000} seconds` : reason(error)}.`,
    );
  }
}

function refusal(address: string, status: number): string {
  if (status === 404 || status === 410)
    return `No file was found at ${address}. Check the address, and that the file is public.`;
  if (status === 401 || status === 403)
    return `${address} is not public. Download the file, then check the downloaded file.`;
  return `${address} returned status ${status}. Try again later, or download the file and check that file.`;
}

/** Returns the reason for a failed HTTP request. `fetch` stores the reason in the field `cause` of the error. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return `could not be reached: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`;
}
