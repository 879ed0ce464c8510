/** A steady load through the proxy that counts failures by the kind of request. */
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Request {
  port: number;
  host: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  agent?: Agent | false;
  /** Whether to use TLS, without verification of the certificate. */
  secure?: boolean;
  /** Local address of the connection. */
  localAddress?: string;
  /** Address of the proxy. Default: 127.0.0.1. */
  address?: string;
}

/** Sends one request, on a separate connection unless an agent is given. */
export function send({
  port,
  host,
  path = '/',
  method = 'GET',
  headers,
  body,
  agent = false,
  secure = false,
  address = '127.0.0.1',
  ...more
}: Request): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const to = { host: address, port, path, method, agent, headers: { ...headers, host }, ...more };
  const options = { ...to, servername: host.replace(/:.*|\.$/g, ''), rejectUnauthorized: false };
  const request = (secure ? httpsRequest : httpRequest)(options, async (response) => {
    try {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    } catch (error) {
      reject(error);
    }
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Returns the name of the server from the response of an app. */
export function serverOf(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return (JSON.parse(answer.text) as { server: string }).server;
}

const KINDS = ['fresh', 'keep-alive', 'post'] as const;
const PAUSE_MS = 4;

export interface Load {
  /**
   * Resolves when every kind of request has had `count` more responses. Tests wait for responses instead of time,
   * because machines differ in speed.
   */
  more(count: number): Promise<void>;
  /** Stops the load. Every request has had its response by then. */
  stop(): Promise<{ failures: string[] }>;
}

export function startLoad(port: number, host: string, secure = false): Load {
  let running = true;
  const failures: string[] = [];
  const sent: Record<string, number> = {};
  const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 4 });
  const body = Buffer.alloc(65_536, 'x');
  const variants = {
    fresh: {},
    'keep-alive': { agent },
    post: { agent, method: 'POST', body },
  };
  const work = async (kind: (typeof KINDS)[number]) => {
    while (running) {
      try {
        const answer = await send({ port, host, secure, ...variants[kind] });
        if (answer.status !== 200) failures.push(`${kind}: ${answer.status} ${answer.text}`);
        else if (kind === 'post' && !answer.text.includes('"bytes":65536')) failures.push(`${kind}: cut off`);
      } catch (error) {
        failures.push(`${kind}: ${(error as Error).message}`);
      }
      sent[kind] = (sent[kind] ?? 0) + 1;
      await delay(PAUSE_MS);
    }
  };
  const all = Promise.all(KINDS.map(work));
  return {
    more: async (count) => {
      const goals = KINDS.map((kind) => (sent[kind] ?? 0) + count);
      while (KINDS.some((kind, at) => (sent[kind] ?? 0) < (goals[at] ?? 0))) await delay(PAUSE_MS);
    },
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
      return { failures };
    },
  };
}
