import { request } from 'node:http';
import { connect } from 'node:net';
import { responseTo } from '@davit/service';
import type { Probe, ProbeResult } from '../../probe.ts';

/** What an error of the connection means to the one who reads why a release was not ready. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  ECONNRESET: 'it closed the connection without an answer',
};

/** Asks for a page on a connection of its own; anything but 2xx is a failure, redirects too. */
export async function probeHttp(
  address: string,
  probe: Extract<Probe, { kind: 'http' }>,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  const { port, path, timeoutMs } = probe;
  const limit = withDeadline(timeoutMs, signal);
  const headers = { 'User-Agent': 'davit-probe', Connection: 'close', Accept: '*/*' };
  try {
    // Only the status counts, so a server that ends its lines with a bare LF is as good as it is to a browser.
    const lenient = { insecureHTTPParser: true };
    const asked = request({ host: address, port, path, agent: false, headers, signal: limit, ...lenient });
    const answered = responseTo(asked);
    asked.end();
    const { statusCode: status = 0 } = await answered;
    // The answer's body is not of interest, and the connection is not used again.
    asked.destroy();
    const isGood = status >= 200 && status < 300;
    return isGood ? { ok: true } : { ok: false, reason: `it answered ${status} to GET ${path}` };
  } catch (error) {
    // Of the connection, or a path that cannot be sent.
    return failed(error as Error, timeoutMs, signal);
  }
}

/** Connects and hangs up. */
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

/** The caller's signal and the probe's own deadline. */
export function withDeadline(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}

/** The sentence for a failure. */
export function failed(error: Error & { code?: string }, timeoutMs: number, signal?: AbortSignal): ProbeResult {
  if (signal?.aborted) return { ok: false, reason: 'the check was called off' };
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') {
    return { ok: false, reason: `no answer within ${timeoutMs} ms` };
  }
  return { ok: false, reason: REASONS[error.code ?? ''] ?? error.message };
}
