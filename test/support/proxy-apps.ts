/** Servers in this process that represent apps behind the proxy. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

export interface TestApp extends AsyncDisposable {
  name: string;
  port: number;
  /** Paths of the requests that arrived. */
  seen: string[];
  /** Completes the requests to `/hold`. */
  release(): void;
}

let count = 0;

/** Returns a new name, because the proxy requires that a name is never reused. */
export function nextName(): string {
  count += 1;
  return `i${count}`;
}

/**
 * Starts a server that returns JSON with its name, the headers of the request and the size of the body. `/hold`
 * responds after `release`. `/events` is an event stream with an event every 20 ms. A WebSocket gets its messages back.
 */
export async function startApp(name = nextName()): Promise<TestApp> {
  const held = Promise.withResolvers<void>();
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    seen.push(request.url ?? '');
    if (request.url === '/hold') await held.promise;
    if (request.url === '/events') await streamEvents(request, response);
    else await answer(name, request, response);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
  const close = async () => {
    held.resolve();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  };
  const port = await listen(server);
  return { name, port, seen, release: () => held.resolve(), [Symbol.asyncDispose]: close };
}

async function answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ server: name, bytes, headers: request.headers }));
}

async function streamEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let id = 1; !request.socket.destroyed && !response.destroyed; id += 1) {
    response.write(`id: ${id}\n\n`);
    await delay(20);
  }
}

/** Starts a server that only speaks HTTP/2 without TLS, and ends each response with a trailer like gRPC. */
export async function startRpcApp(): Promise<Pick<TestApp, 'name' | 'port'> & AsyncDisposable> {
  const server: Http2Server = createHttp2Server();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.pipe(stream);
  });
  const port = await listen(server);
  const close = async () => {
    server.close();
    for (const session of sessions) session.destroy();
  };
  return { name: nextName(), port, [Symbol.asyncDispose]: close };
}

export interface RawApp extends AsyncDisposable {
  name: string;
  port: number;
}

/**
 * Starts a server that responds with the bytes of the request's head as they arrived, and then closes the connection.
 * If the head requests an upgrade, the response is 101, and bytes after the head are discarded.
 * @param answerTo returns another response for the head of a request
 */
export async function startRawApp(answerTo = echo): Promise<RawApp> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.removeAllListeners('data').resume();
      socket.end(answerTo(text.slice(0, end)), 'latin1');
    });
  });
  const port = await listen(server);
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { name: nextName(), port, [Symbol.asyncDispose]: close };
}

function echo(head: string): string {
  const upgrade = /^upgrade: (.*?)\r?$/im.exec(head)?.[1];
  const first =
    upgrade === undefined
      ? `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${head.length}\r\n\r\n`
      : `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${upgrade}\r\n${acceptOf(head)}\r\n`;
  return first + head;
}

/** Returns the header without which a proxy refuses the response to a WebSocket request. */
export function acceptOf(head: string): string {
  const key = /^sec-websocket-key: (.*?)\r?$/im.exec(head)?.[1];
  if (key === undefined) return '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `sec-websocket-accept: ${accept}\r\n`;
}

export interface TunnelApp extends RawApp {
  /** All received text since it was last cleared. */
  received: string;
  /** Status line and headers of the responses, for example `200 OK`. */
  answer: string;
}

/**
 * Starts a server that sends one response for each connection, whatever the method, and continues to read. The server
 * ends a connection on which `/smuggled` arrived.
 */
export async function startTunnelApp(): Promise<TunnelApp> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const isFirst = !text.includes('\r\n\r\n');
      text += chunk;
      app.received += chunk;
      if (isFirst && text.includes('\r\n\r\n')) socket.write(`HTTP/1.1 ${app.answer}\r\n\r\n`);
      if (text.includes('/smuggled')) socket.end();
    });
  });
  const port = await listen(server);
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const app = { name: nextName(), port, received: '', answer: '200 OK', [Symbol.asyncDispose]: close };
  return app;
}

async function listen(server: Server | Http2Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
