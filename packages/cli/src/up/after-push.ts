/**
 * What comes after a push: the instance deploys an app that follows its pushes by itself, within a second. Where it does
 * not, because the app is pinned, or what was pushed is no news to it, the deployment is asked for.
 */
import { randomUUID } from 'node:crypto';
import type { Client, Deployment } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import { patiently, pause } from '../progress/patiently.ts';

/** A push is told to the instance at once; what is not there by then was not started by it. */
const WAIT_MS = 5_000;
/** Also without an event: a stream that breaks must not make us miss what the list shows. */
const LOOK_MS = 1_000;
const NEWEST = '10';

/** Begun before the push, so that nothing that the push starts is missed. */
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

  /** The deployment that the push started; null when it started none. */
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

  /** Deploys the tag, unless the push has done it at the last moment. */
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
      // The list is looked at all the same, and says what is wrong if something is.
    }
  }
}

/** Asks for a deployment once, also where the answer is lost on its way and the client asks again. */
export async function deploy(client: Client, params: AppParams, tag: string, signal: AbortSignal): Promise<Deployment> {
  const ask = { params, body: { tag }, idempotencyKey: randomUUID(), signal };
  const answer = await patiently(() => client.deployApp(ask), signal);
  // A plan is answered to a dry run alone.
  return answer as Deployment;
}
