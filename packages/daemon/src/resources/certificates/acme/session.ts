import { Worker } from 'node:worker_threads';
import type { AcmeAccess, AcmeFailure, FromAcme, ToAcme } from './messages.ts';

/**
 * Error for a failed registration of an ACME account or a failed certificate order. The message is only for the log,
 * because it can contain text from the certificate authority.
 */
export class AcmeRefused extends Error {
  override name = 'AcmeRefused';
  readonly failure: AcmeFailure;

  constructor(failure: AcmeFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface Issued {
  chain: string;
  key: string;
}

export interface OrderTaker {
  registered(accountUrl: string): void;
  /**
   * Publishes the response to an HTTP-01 challenge for the given token. The certificate authority requests the response
   * after the promise has resolved.
   */
  challenge(token: string, answer: string): Promise<void>;
}

const NOT_ANSWERED = 'The certificate authority did not issue the certificate in time.';

/**
 * Maximum duration of an ACME order in milliseconds. This time is longer than the time for which the worker thread
 * waits for the validation.
 */
const ORDER_MS = 180_000;

const WORKER = new URL('./worker.ts', import.meta.url);

/**
 * Session with one ACME authority. A worker thread runs the certificate orders one after another. The thread ends when
 * the session is disposed.
 */
export class AcmeSession implements AsyncDisposable {
  readonly #access: AcmeAccess;
  #worker: Worker | null = null;

  constructor(access: AcmeAccess) {
    this.#access = access;
  }

  /**
   * Registers the ACME account if the account is not registered yet.
   * @returns URL of the account
   * @throws AcmeRefused
   */
  async register(signal: AbortSignal): Promise<string> {
    let url = '';
    const taker: OrderTaker = {
      registered(accountUrl) {
        url = accountUrl;
      },
      challenge: async () => undefined,
    };
    await this.#ask({ kind: 'register' }, taker, signal);
    return url;
  }

  /**
   * Orders a certificate for one host name with an HTTP-01 challenge.
   * @throws AcmeRefused
   */
  async order(name: string, taker: OrderTaker, signal: AbortSignal): Promise<Issued> {
    const issued = await this.#ask({ kind: 'order', name }, taker, signal);
    if (issued === null) throw new Error('The worker thread for the certificate request sent an unexpected message.');
    return issued;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { workerData: this.#access, name: 'acme' });
    // Ignore errors of the worker thread while no order is running. The next certificate order starts a new thread.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    return worker;
  }

  async #ask(message: ToAcme, taker: OrderTaker, signal: AbortSignal): Promise<Issued | null> {
    signal.throwIfAborted();
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(ORDER_MS)]);
    const { promise, resolve, reject } = Promise.withResolvers<Issued | null>();
    const onMessage = (answer: FromAcme) => {
      if (answer.kind === 'failed') reject(new AcmeRefused(answer.failure));
      else if (answer.kind === 'issued') resolve({ chain: answer.chain, key: answer.key });
      else if (answer.kind === 'challenge') answerChallenge(worker, taker, answer).catch(reject);
      else {
        taker.registered(answer.accountUrl);
        if (message.kind === 'register') resolve(null);
      }
    };
    const onEnd = () => reject(new Error('The worker thread for the certificate request exited.'));
    const onAbort = () => reject(signal.aborted ? signal.reason : new AcmeRefused(late()));
    worker.on('message', onMessage).once('error', reject).once('exit', onEnd);
    deadline.addEventListener('abort', onAbort, { once: true });
    try {
      worker.postMessage(message);
      return await promise;
    } catch (error) {
      // Terminate the worker thread, because a failed or aborted certificate order may still run in this thread.
      await this[Symbol.asyncDispose]();
      throw error;
    } finally {
      worker.off('message', onMessage).off('error', reject).off('exit', onEnd);
      deadline.removeEventListener('abort', onAbort);
    }
  }
}

async function answerChallenge(
  worker: Worker,
  taker: OrderTaker,
  { token, answer }: { token: string; answer: string },
): Promise<void> {
  await taker.challenge(token, answer);
  worker.postMessage({ kind: 'answered' } satisfies ToAcme);
}

function late(): AcmeFailure {
  return { stage: 'validate', code: 'late', message: NOT_ANSWERED, cause: 'unreached', retryAfterS: null };
}
