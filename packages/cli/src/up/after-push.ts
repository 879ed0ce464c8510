/**
 * Deploys after a push. The instance automatically deploys an app with autodeploy within a second. If the app is pinned
 * or the push contains nothing new, this code requests the deployment.
 */
import { randomUUID } from 'node:crypto';
import type { Client, Deployment } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import { patiently, pause } from '../progress/patiently.ts';

/**
 * Time in milliseconds to wait for the deployment of the push. The instance learns of a push immediately, so a later
 * deployment has another cause.
 */
const WAIT_MS = 5_000;
/** Interval in milliseconds of checks without an event, so that a broken stream does not hide a deployment. */
const LOOK_MS = 1_000;
const NEWEST = '10';

/** Finds the deployment that a push starts. Create the object before the push, so that no deployment is missed. */
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

  /** Returns the deployment that the push started, or `null` if it started none. */
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

  /** Deploys the tag, unless the push has just started its deployment. */
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
      // The list is still polled and reports errors.
    }
  }
}

/**
 * Starts one deployment. The idempotency key prevents a second deployment if the answer is lost and the client retries.
 */
export async function deploy(client: Client, params: AppParams, tag: string, signal: AbortSignal): Promise<Deployment> {
  const ask = { params, body: { tag }, idempotencyKey: randomUUID(), signal };
  const answer = await patiently(() => client.deployApp(ask), signal);
  // Only a dry run returns a plan.
  return answer as Deployment;
}
