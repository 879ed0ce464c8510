import type { Core } from '../core/core.ts';
import { sentence } from '../release/sentence.ts';
import { ok } from './bind.ts';
import { absentEndpoint, type Endpoint } from './endpoint.ts';

const ANSWER = { 'cache-control': 'no-store' };

/** Asked without a credential, so the engine is not asked more often than this. */
const ASKED_ANEW_MS = 1_000;

/** Whether the process is there, and whether it can do its work. */
export function healthEndpoints(core: Core, isReady: () => boolean): Endpoint[] {
  const engine = engineAsked(core);
  return [
    absentEndpoint('GET /healthz', { access: 'open' }, ({ exchange }) => {
      const { address, port } = core.facts.apiAddress;
      // Only the operator asks over the socket: a second start on the same data directory, for where this one listens.
      const where = exchange.local ? { 'davit-address': urlOf(address, port) } : {};
      return { ...ok('ok\n'), headers: { ...ANSWER, ...where } };
    }),
    absentEndpoint('GET /readyz', { access: 'open' }, async () => {
      const reason = isReady() ? await engine() : 'The instance is starting: what the last process left is taken up.';
      if (reason === null) return { ...ok('ready\n'), headers: ANSWER };
      return { status: 503, body: `${reason}\n`, headers: { ...ANSWER, 'retry-after': '5' } };
    }),
  ];
}

/** Why the engine cannot be used, as it says now; null when it can. What it was like at the last look may be old. */
function engineAsked({ engine, now }: Core): () => Promise<string | null> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | null> = Promise.resolve(null);
  return () => {
    if (now() - askedAt < ASKED_ANEW_MS) return answer;
    askedAt = now();
    answer = engine.info().then(() => null, whyUnusable);
    return answer;
  };
}

/** An adapter's own words may be no sentence. */
function whyUnusable({ message }: Error): string {
  const words = message.trim();
  return sentence(/[.!?]$/.test(words) ? words : `The container engine cannot be used: ${words}`);
}

export function urlOf(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
