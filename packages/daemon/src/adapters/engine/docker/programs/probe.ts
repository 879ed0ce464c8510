import { request } from 'node:http';
import { connect } from 'node:net';
import { responseTo } from '@davit/service';
import type { Probe, ProbeResult } from '../../probe.ts';

/** Map from an error code to the text that users see if a health check fails. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no network route to the container',
  ENETUNREACH: 'no network route to the container',
  ECONNRESET: 'the app closed the connection without a response',
};

/**
 * Sends an HTTP GET request to a container on a new connection. Only the status codes 200 to 299 are a success. A
 * redirect is a failure.
 */
export async function probeHttp(
  address: string,
  probe: Extract<Probe, { kind: 'http' }>,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const { port, path, timeoutMs } = probe;
  const limit = withDeadline(timeoutMs, signal);
  const headers = { 'User-Agent': 'davit-probe', Connection: 'close', Accept: '*/*' };
  try {
    // Only the HTTP status is needed. Like browsers, the lenient parser accepts lines that end with a bare LF.
    const lenient = { insecureHTTPParser: true };
    const clientRequest = request({ host: address, port, path, agent: false, headers, signal: limit, ...lenient });
    const answered = responseTo(clientRequest);
    clientRequest.end();
    const { statusCode: status = 0 } = await answered;
    // Closes the connection without reading the response body, because only the HTTP status is needed.
    clientRequest.destroy();
    const isGood = status >= 200 && status < 300;
    return isGood ? { ok: true } : { ok: false, reason: `GET ${path} returned status ${status}` };
  } catch (error) {
    // The connection failed, or the configured path is not valid in an HTTP request.
    return failed(error as Error, timeoutMs, signal);
  }
}

/** Checks a container by opening and closing a TCP connection. */
export function probeTcp(
  address: string,
  probe: Extract<Probe, { kind: 'tcp' }>,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const { promise, resolve } = Promise.withResolvers<ProbeResult>();
  const socket = connect({ host: address, port: probe.port, signal: withDeadline(probe.timeoutMs, signal) });
  socket.on('connect', () => {
    resolve({ ok: true });
    socket.destroy();
  });
  socket.on('error', (error) => resolve(failed(error, probe.timeoutMs, signal)));
  return promise;
}

/**
 * Returns an abort signal for a health check. The signal aborts when the given signal aborts, or after `timeoutMs`.
 */
export function withDeadline(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}

/** Converts an error to a failed health check result. The result contains a text for users. */
export function failed(error: Error & { code?: string }, timeoutMs: number, signal?: AbortSignal): ProbeResult {
  if (signal?.aborted) return { ok: false, reason: 'the check was canceled' };
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') {
    return { ok: false, reason: `no response within ${timeoutMs} ms` };
  }
  const reason = REASONS[error.code ?? ''] ?? error.message;
  return { ok: false, reason, ...(error.code === 'ECONNREFUSED' && { isPortClosed: true }) };
}
