/**
 * Senders for one request of each class. The senders behave like an ordinary client, and throw a failure with its kind.
 */

import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import type { TrafficOptions } from './traffic.ts';
import { type Answer, Lost, readAnswer } from './traffic-record.ts';

/** Sends one request, and calls `onRetry` each time it has to be sent again. */
export type Sender = (onRetry: () => void) => Promise<Answer>;

const SLOW_MS = 2_000;
const BODY_BYTES = 64 * 1024;
/** Time in milliseconds after which a client closes an idle connection, much shorter than the timeout of the proxy. */
const IDLE_MS = 20_000;

interface RequestInput {
  path: string;
  agent: Agent | false;
  body?: Buffer;
}

export function httpSenders({ port, host }: TrafficOptions): Record<'fresh' | 'keep-alive' | 'post' | 'slow', Sender> {
  // `fifo` uses all open connections in turn, instead of the same few.
  const agent = () => new Agent({ keepAlive: true, scheduling: 'fifo', timeout: IDLE_MS });
  const agents = { 'keep-alive': agent(), post: agent(), slow: agent() };
  const bodies = Array.from({ length: 8 }, () => {
    const body = randomBytes(BODY_BYTES);
    return { body, sha256: createHash('sha256').update(body).digest('hex') };
  });
  let posted = 0;
  const sendToApp = (input: RequestInput) => send(port, host, input);
  return {
    fresh: async () => readAnswer(await sendToApp({ path: '/', agent: false })),
    'keep-alive': async () => readAnswer(await sendToApp({ path: '/', agent: agents['keep-alive'] })),
    slow: async () => readAnswer(await sendToApp({ path: `/slow?ms=${SLOW_MS}`, agent: agents.slow })),
    post: async () => {
      posted += 1;
      const { body, sha256 } = bodies[posted % bodies.length] ?? { body: Buffer.alloc(0), sha256: '' };
      const answer = readAnswer(await sendToApp({ path: '/echo', agent: agents.post, body }));
      if (answer.sha256 === sha256 && answer.length === BODY_BYTES) return answer;
      throw new Lost('wrong-body', `the app got ${answer.length} bytes, hash ${answer.sha256}`);
    },
  };
}

function send(port: number, host: string, { path, agent, body }: RequestInput): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { host, ...(body && { 'content-length': body.length }) };
  const clientRequest = request({ host: '127.0.0.1', port, path, method, headers, agent, timeout: PATIENCE_MS });
  const timer = setTimeout(
    () => clientRequest.destroy(new Lost('time-out', `${path}: ${PATIENCE_MS} ms`)),
    PATIENCE_MS,
  );
  let connected = false;
  clientRequest.on('socket', (socket) => {
    if (clientRequest.reusedSocket || !socket.connecting) connected = true;
    else socket.once('connect', () => (connected = true));
  });
  const kindOf = () => (!connected ? 'connect' : clientRequest.reusedSocket ? 'reset-reused' : 'reset-fresh');
  clientRequest.on('error', (error) => reject(error instanceof Lost ? error : new Lost(kindOf(), error.message)));
  clientRequest.on('close', () => clearTimeout(timer));
  clientRequest.on('response', (response) => void read(response).then(resolve, reject));
  clientRequest.end(body);
  return promise;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
  } catch (error) {
    throw error instanceof Lost ? error : new Lost('truncated', (error as Error).message);
  }
  const { statusCode = 0 } = response;
  if (statusCode !== 200) throw new Lost(`status-${statusCode}`, text.slice(0, 200));
  return text;
}

const SESSIONS = 4;

/** Sends GET requests over a few long HTTP/2 connections. A connection that the server closes is replaced. */
export function h2cSender({ port, host }: TrafficOptions): Sender {
  const sessions: (ClientHttp2Session | null)[] = Array.from({ length: SESSIONS }, () => null);
  let turn = 0;
  const session = (): ClientHttp2Session => {
    turn = (turn + 1) % SESSIONS;
    const slot = turn;
    const open = sessions[slot];
    if (open && !open.closed && !open.destroyed) return open;
    const made = connect(`http://127.0.0.1:${port}`);
    const forget = () => {
      if (sessions[slot] === made) sessions[slot] = null;
    };
    // The requests on this connection report the error, each separately.
    made.on('error', forget);
    made.on('goaway', forget);
    made.on('close', forget);
    sessions[slot] = made;
    return made;
  };
  return async (onRetry) => {
    for (;;) {
      const answer = await getOver(session(), host);
      if (answer !== null) return readAnswer(answer);
      onRetry();
    }
  };
}

/**
 * Sends a GET request.
 * @returns null if the server reports that it has not processed the request, so that it must be sent again
 */
function getOver(session: ClientHttp2Session, host: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const stream = session.request({ ':method': 'GET', ':path': '/', ':authority': host });
  const timer = setTimeout(() => reject(new Lost('time-out', `${PATIENCE_MS} ms`)), PATIENCE_MS);
  let status = 0;
  let text = '';
  let ended = false;
  stream.setEncoding('utf8');
  stream.on('response', (headers) => (status = Number(headers[':status'])));
  stream.on('data', (chunk: string) => (text += chunk));
  stream.on('end', () => (ended = true));
  stream.on('error', (error) => {
    if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve(null);
    else reject(new Lost(status === 0 ? 'reset-reused' : 'truncated', error.message));
  });
  stream.on('close', () => {
    clearTimeout(timer);
    if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve(null);
    else if (status === 0) reject(new Lost('reset-reused', 'closed without an answer'));
    else if (status !== 200) reject(new Lost(`status-${status}`, text.slice(0, 200)));
    else if (!ended) reject(new Lost('truncated', `${text.length} bytes`));
    else resolve(text);
  });
  stream.end();
  return promise;
}
