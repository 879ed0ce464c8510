import { sentence } from '../../app-spec/sentence.ts';
import { DAMAGED } from '../../db/damage.ts';
import { ok } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';

const STARTING = 'The instance is starting. It first continues the work that was in progress when it stopped.';
const ANSWER = { 'cache-control': 'no-store' };

/**
 * Minimum time in milliseconds between two checks of Docker, the proxy and the registry. `/readyz` is public, so its
 * requests must not cause unlimited work.
 */
const CHECK_INTERVAL_MS = 1_000;

/** Returns the endpoints `/healthz` (whether the process runs) and `/readyz` (whether the instance works). */
export function healthEndpoints(core: HttpDeps, isReady: () => boolean): Endpoint[] {
  const problem = createProblemCheck(core);
  return [
    absentEndpoint('GET /healthz', { access: 'open' }, ({ exchange }) => {
      const { address, port } = core.facts.apiAddress;
      // Only responses over the Unix socket contain the daemon's address. A second daemon process needs this address.
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

/**
 * Error message of `/readyz` if the proxy does not run. `/readyz` is public, so the message must not contain the real
 * reason, which may include log text.
 */
const NO_PROXY = 'The proxy is not running, so no app can be reached. Find the reason in the warnings of the instance.';

/** Error message of `/readyz` if the registry does not run, for example shortly after the start of the daemon. */
const NO_REGISTRY =
  'The registry is not running, so users cannot sign in to it or push images. If it does not start within a minute, find the reason in the warnings of the instance.';

/**
 * Returns a function that checks Docker, the proxy and the registry. The function always makes new checks, because a
 * stored status may be outdated. It returns an error message, or `null` if there is no problem.
 */
function createProblemCheck({ engine, proxy, registry, now }: HttpDeps): () => Promise<string | null> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<string | null> = Promise.resolve(null);
  const check = async () => {
    const others = Promise.all([proxy.status(), registry.status()]);
    const unusable = await engine.info().then(() => null, whyUnusable);
    if (unusable !== null) return unusable;
    const [ofProxy, ofRegistry] = await others;
    if (!ofProxy.running) return NO_PROXY;
    return ofRegistry.running ? null : NO_REGISTRY;
  };
  return () => {
    if (now() - checkedAt < CHECK_INTERVAL_MS) return answer;
    checkedAt = now();
    answer = check();
    return answer;
  };
}

/** Returns a Docker error message as a complete English sentence. */
function whyUnusable({ message }: Error): string {
  const words = message.trim();
  return sentence(/[.!?]$/.test(words) ? words : `Docker cannot be used: ${words}`);
}

export function urlOf(address: string, port: number): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
