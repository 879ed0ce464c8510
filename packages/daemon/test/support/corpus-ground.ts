import { Agent } from 'node:http';
import { createLogger } from '@davit/service';
import { type Answer, bootDaemon, checkAnswer, type Sending, send, type TestDaemon } from '@davit/testkit';
import { type Callable, callables } from './contract-walk.ts';
import { listedCatalog } from './listed-catalog.ts';
import { simulatedLego } from './simulated-lego.ts';

/** Requests under way at the same time. */
export const AT_ONCE = 8;

/** A daemon with one of everything, and the means to send it very many requests. */
export interface Ground extends AsyncDisposable {
  daemon: TestDaemon;
  calls: Callable[];
  /** Sends a body as it is, on a kept connection; the answer is held against the contract. */
  post(method: string, path: string, body: string | Uint8Array): Promise<Answer>;
  /** Sends anything on a kept connection, as the admin. */
  ask(sending: Sending): Promise<Answer>;
  /** What there is, as the API shows it; but for when it, or somebody, was last seen. */
  world(): Promise<string>;
}

export async function corpusGround(): Promise<Ground> {
  // A line for each of very many requests would be most of the work.
  const catalog = await listedCatalog();
  const settings = { catalogUrl: catalog.url };
  const daemon = await bootDaemon({ log: createLogger({ level: 'error' }), lego: simulatedLego, settings });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const headers = { authorization: `Bearer ${daemon.key}` };
  const ask = async (sending: Sending) => {
    const answer = await send({ url: daemon.url }, { ...sending, headers: { ...headers, ...sending.headers } }, agent);
    checkAnswer(answer);
    return answer;
  };
  const calls = await callables(daemon);
  await daemon.settled();
  return {
    daemon,
    calls,
    ask,
    post: (method, path, body) => ask({ method, path, body, headers: { 'content-type': 'application/json' } }),
    world: async () => {
      const seen = ['/api/projects', '/api/apps', '/api/users', '/api/settings'];
      const answers = await Promise.all(seen.map((path) => ask({ path })));
      return answers.map(({ text }) => text.replaceAll(/"(?:observed|last_seen)_at":(?:"[^"]*"|null)/g, '')).join('\n');
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await daemon[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}
