import { sentence } from '../../app-spec/sentence.ts';
import { DAMAGED } from '../../db/damage.ts';
import { ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';

const STARTING = 'The instance is starting and continues unfinished work.';
const ANSWER = { 'cache-control': 'no-store' };

/**
 * Minimum time in milliseconds between two checks of engine and proxy. These requests need no credential, so their
 * effect must be limited.
 */
const ASKED_ANEW_MS = 1_000;

/** Returns the endpoints that show whether the process runs and whether it can do its work. */
export function healthEndpoints(core: HttpDeps, isReady: () => boolean): Endpoint[] {
  const problem = problemAsked(core);
  return [
    absentEndpoint('GET /healthz', { access: 'open' }, ({ exchange }) => {
      const { address, port } = core.facts.apiAddress;
      // Only the operator can use the socket. A second start with the same data directory reads the address of this
      // instance there.
      const where = exchange.local ? { 'davit-address': urlOf(address, port) } : {};
      return { ...ok('ok\n'), headers: { ...ANSWER, ...where } };
    }),
    absentEndpoint('GET /readyz', { access: 'open' }, async () => {
      const reason = core.store.isDamaged
        ? DAMAGED
        : isReady()
          ? ((await problem()) ?? core.firewallProblem())
          : STARTING;
      if (reason === null) return { ...ok('ready\n'), headers: ANSWER };
      return { status: 503, body: `${reason}\n`, headers: { ...ANSWER, 'retry-after': '5' } };
    }),
  ];
}

/** Reason for callers without a credential. The actual reason may contain text of the proxy's log. */
const NO_PROXY = 'The proxy is not running, so no app can be reached. Find the reason in the warnings of the instance.';

/**
 * Returns a function that finds the reason why apps cannot run or be reached (`null` if they can). The function checks
 * engine and proxy at each call, because the last observed state may be old.
 */
function problemAsked({ engine, proxy, now }: HttpDeps): () => Promise<string | null> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | null> = Promise.resolve(null);
  const ask = async () => {
    const ofProxy = proxy.status();
    const unusable = await engine.info().then(() => null, whyUnusable);
    return unusable ?? ((await ofProxy).running ? null : NO_PROXY);
  };
  return () => {
    if (now() - askedAt < ASKED_ANEW_MS) return answer;
    askedAt = now();
    answer = ask();
    return answer;
  };
}

/**
 * Returns the reason of an engine's error as a full sentence, because the message of an adapter may not be a sentence.
 */
function whyUnusable({ message }: Error): string {
  const words = message.trim();
  return sentence(/[.!?]$/.test(words) ? words : `The container engine cannot be used: ${words}`);
}

export function urlOf(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
