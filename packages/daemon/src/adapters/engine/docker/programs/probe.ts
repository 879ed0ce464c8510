import { request } from 'node:http';
import { connect } from 'node:net';
import { responseTo } from '@davit/service';
import type { Probe, ProbeResult } from '../../probe.ts';

/** Reasons by error code, as users read them when a release did not become ready. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no network route to the container',
  ENETUNREACH: 'no network route to the container',
  ECONNRESET: 'the app closed the connection without a response',
};

/** Requests a page on a new connection. Only a 2xx status is a success, so redirects fail. */
export async function probeHttp(
  address: string,
  probe: Extract<Probe, { kind: 'http' }>,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const { port, path, timeoutMs } = probe;
  const limit = withDeadline(timeoutMs, signal);
  const headers = { 'User-Agent': 'davit-probe', Connection: 'close', Accept: '*/*' };
  try {
    // Only the status counts, so a server that ends its lines with a bare LF is accepted, as in a browser.
    const lenient = { insecureHTTPParser: true };
    const asked = request({ host: address, port, path, agent: false, headers, signal: limit, ...lenient });
    const answered = responseTo(asked);
    asked.end();
    const { statusCode: status = 0 } = await answered;
    // The body is not needed, and the connection is not used again.
    asked.destroy();
    const isGood = status >= 200 && status < 300;
    return isGood ? { ok: true } : { ok: false, reason: `GET ${path} returned status ${status}` };
  } catch (error) {
    // The error comes from the connection, or from a path that cannot be sent.
    return failed(error as Error, timeoutMs, signal);
  }
}

/** Opens a connection and closes it. */
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

/** Returns a signal that combines the caller's signal and a deadline. */
export function withDeadline(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}

/** Returns the probe result for an error. */
export function failed(error: Error & { code?: string }, timeoutMs: number, signal?: AbortSignal): ProbeResult {
  if (signal?.aborted) return { ok: false, reason: 'the check was canceled' };
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') {
    return { ok: false, reason: `no response within ${timeoutMs} ms` };
  }
  return { ok: false, reason: REASONS[error.code ?? ''] ?? error.message };
}
