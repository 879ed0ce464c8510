import type { Core } from '../core/core.ts';
import { ok } from './bind.ts';
import { absentEndpoint, type Endpoint } from './endpoint.ts';

const ANSWER = { 'cache-control': 'no-store' };

/** Whether the process is there, and whether it can do its work. */
export function healthEndpoints(core: Core, isReady: () => boolean): Endpoint[] {
  return [
    absentEndpoint('GET /healthz', { access: 'open' }, ({ exchange }) => {
      const { address, port } = core.facts.apiAddress;
      // Only the operator asks over the socket: a second start on the same data directory, for where this one listens.
      const where = exchange.local ? { 'davit-address': urlOf(address, port) } : {};
      return { ...ok('ok\n'), headers: { ...ANSWER, ...where } };
    }),
    absentEndpoint('GET /readyz', { access: 'open' }, () => {
      const reason = whyNotReady(core, isReady);
      if (reason === null) return { ...ok('ready\n'), headers: ANSWER };
      return { status: 503, body: `${reason}\n`, headers: { ...ANSWER, 'retry-after': '5' } };
    }),
  ];
}

function whyNotReady(core: Core, isReady: () => boolean): string | null {
  if (!isReady()) return 'The instance is starting: what the last process left is being taken up.';
  const { available, problem } = core.engineSight();
  return available ? null : (problem ?? 'The container engine does not answer.');
}

export function urlOf(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
