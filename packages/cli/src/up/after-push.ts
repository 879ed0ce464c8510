/**
 * Finds or starts the deployment after a push. With autodeploy, the instance deploys a pushed image within a second.
 * Otherwise, for example if the app has a pinned tag, the CLI requests the deployment.
 */
import { randomUUID } from 'node:crypto';
import type { Client, Deployment } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import { patiently, pause } from '../progress/patiently.ts';

/**
 * Time in milliseconds to wait for the automatic deployment after a push. The registry reports a push at once, so a
 * later deployment has another cause.
 */
const WAIT_MS = 5_000;
/**
 * Interval in milliseconds for polling deployments. Polling finds the deployment even if the event stream is broken.
 */
const LOOK_MS = 1_000;
const NEWEST = '10';

/**
 * Finds the deployment that a push starts. Create the object before the push, because it finds only later deployments.
 */
export class AfterPush implements Disposable {
  readonly #client: Client;
  readonly #params: AppParams;
  readonly #baseline: number;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  private constructor(client: Client, params: AppParams, baseline: number, signal: AbortSignal) {
    this.#client = client;
    this.#params = params;
    this.#baseline = baseline;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    void this.#listen();
  }

  static async begin(client: Client, params: AppParams, signal: AbortSignal): Promise<AfterPush> {
    const [newest] = await client.listDeployments({ params, query: { limit: '1' }, signal });
    return new AfterPush(client, params, newest?.id ?? 0, signal);
  }

  /** Waits for the deployment that the push starts. Returns `null` if there is none after 5 seconds. */
  async started(tag: string): Promise<Deployment | null> {
    const until = performance.now() + WAIT_MS;
    for (;;) {
      const happened = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const found = await this.#find(tag);
      if (found !== undefined) return found;
      if (performance.now() > until) return null;
      await Promise.race([happened, pause(LOOK_MS, this.#signal)]);
    }
  }

  /** Deploys the tag. If the push has already started a deployment of this tag, returns that deployment. */
  async deploy(tag: string): Promise<Deployment> {
    const found = await this.#find(tag);
    if (found !== undefined) return found;
    return deploy(this.#client, this.#params, tag, this.#signal);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #find(tag: string): Promise<Deployment | undefined> {
    const ask = { params: this.#params, query: { limit: NEWEST }, signal: this.#signal };
    const list = await patiently(() => this.#client.listDeployments(ask), this.#signal);
    return list.find((one) => one.id > this.#baseline && one.tag === tag && one.trigger.kind !== 'scale');
  }

  async #listen(): Promise<void> {
    const query = { app: referenceOf(this.#params), kinds: 'deployment' };
    try {
      for await (const _ of this.#client.live.followEvents({ query, signal: this.#signal })) this.#wake();
    } catch {
      // A broken event stream is ignored, because `started` also polls the deployments and reports API errors.
    }
  }
}

/**
 * Starts a deployment. The idempotency key prevents a second deployment when the request is retried after a lost
 * response.
 */
export async function deploy(client: Client, params: AppParams, tag: string, signal: AbortSignal): Promise<Deployment> {
  const ask = { params, body: { tag }, idempotencyKey: randomUUID(), signal };
  const answer = await patiently(() => client.deployApp(ask), signal);
  // The cast is safe: the API returns a plan only for a dry run.
  return answer as Deployment;
}
