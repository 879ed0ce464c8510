import { Agent } from 'node:http';
import { createLogger } from '@davit/service';
import { type Answer, bootDaemon, checkAnswer, type Sending, send, type TestDaemon } from '@davit/testkit';
import { type Callable, callables } from './contract-walk.ts';
import { listedCatalog } from './listed-catalog.ts';
import { simulatedLego } from './simulated-lego.ts';

/** Number of concurrent requests. */
export const AT_ONCE = 8;

/** A daemon with one resource of every kind, and functions that send it very many requests. */
export interface Setup extends AsyncDisposable {
  daemon: TestDaemon;
  calls: Callable[];
  /** Sends a body unchanged on a persistent connection, and validates the response with the API description. */
  post(method: string, path: string, body: string | Uint8Array): Promise<Answer>;
  /** Sends any request on a persistent connection as the admin. */
  ask(sending: Sending): Promise<Answer>;
  /** Returns all resources as the API shows them, without times of last use. */
  world(): Promise<string>;
}

export async function corpusSetup(): Promise<Setup> {
  // A log line for each of the many requests would take most of the time.
  const catalog = await listedCatalog();
  const settings = { catalogUrl: catalog.url };
  const daemon = await bootDaemon({ log: createLogger({ level: 'error' }), lego: simulatedLego, settings });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const headers = { authorization: `Bearer ${daemon.key}` };
  const request = async (sending: Sending) => {
    const answer = await send({ url: daemon.url }, { ...sending, headers: { ...headers, ...sending.headers } }, agent);
    checkAnswer(answer);
    return answer;
  };
  const calls = await callables(daemon);
  await daemon.settled();
  return {
    daemon,
    calls,
    ask: request,
    post: (method, path, body) => request({ method, path, body, headers: { 'content-type': 'application/json' } }),
    world: async () => {
      const seen = ['/api/projects', '/api/apps', '/api/users', '/api/settings'];
      const answers = await Promise.all(seen.map((path) => request({ path })));
      return answers.map(({ text }) => text.replaceAll(/"(?:observed|last_seen)_at":(?:"[^"]*"|null)/g, '')).join('\n');
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await daemon[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}
