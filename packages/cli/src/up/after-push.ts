/**
 * Finds or starts the deployment of a pushed image. If autodeploy is off or the tag is pinned, the CLI starts the
 * deployment.
 */
import { randomUUID } from 'node:crypto';
import type { Client, Deployment } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import { patiently, pause } from '../progress/patiently.ts';

/**
 * Maximum time in milliseconds from a push to its automatic deployment. A later deployment does not belong to this
 * push.
 */
const WAIT_MS = 5_000;
/**
 * Interval in milliseconds at which the CLI requests the list of deployments. The requests are necessary because the
 * event stream can fail.
 */
const LOOK_MS = 1_000;
const NEWEST = '10';

/**
 * Finds the deployment that a push starts. Create this object before the push, because it ignores deployments that
 * already exist.
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

  /** Waits for the deployment that the push starts. Returns `null` if no deployment starts within 5 seconds. */
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

  /** Deploys an image tag. If the push has already started a deployment of this tag, returns this deployment. */
  async deploy(tag: string): Promise<Deployment> {
    const found = await this.#find(tag);
    if (found !== undefined) return found;
    return deploy(this.#client, this.#params, tag, this.#signal);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #find(tag: string): Promise<Deployment | undefined> {
    const request = { params: this.#params, query: { limit: NEWEST }, signal: this.#signal };
    const list = await patiently(() => this.#client.listDeployments(request), this.#signal);
    return list.find((one) => one.id > this.#baseline && one.tag === tag && one.trigger.kind !== 'scale');
  }

  async #listen(): Promise<void> {
    const query = { app: referenceOf(this.#params), kinds: 'deployment' };
    try {
      for await (const _ of this.#client.live.followEvents({ query, signal: this.#signal })) this.#wake();
    } catch {
      // Errors of the event stream are ignored, because the list of deployments is also requested every second.
    }
  }
}

/**
 * Starts a deployment. If the response is lost, the request is repeated. The idempotency key prevents a second
 * deployment.
 */
export async function deploy(client: Client, params: AppParams, tag: string, signal: AbortSignal): Promise<Deployment> {
  const request = { params, body: { tag }, idempotencyKey: randomUUID(), signal };
  const answer = await patiently(() => client.deployApp(request), signal);
  // The response is always a deployment. The API returns a plan only for requests with `dry_run=true`.
  return answer as Deployment;
}
