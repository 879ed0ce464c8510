/** A steady load through the proxy that counts what fails, by the way in which it was sent. */
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
  /** Over TLS, whoever signed the certificate. */
  secure?: boolean;
  /** Of this machine, to come from. */
  localAddress?: string;
  /** Where the proxy listens; 127.0.0.1. */
  address?: string;
}

/** One request, on a connection of its own unless an agent is given. */
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

/** The name of the server that answered, from an app's answer. */
export function serverOf(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return (JSON.parse(answer.text) as { server: string }).server;
}

const KINDS = ['fresh', 'keep-alive', 'post'] as const;
const PAUSE_MS = 4;

export interface Load {
  /** Resolves when every kind has had `count` more answers: events to wait for, however slow the machine. */
  more(count: number): Promise<void>;
  /** Ends it; every request got its answer by then. */
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
