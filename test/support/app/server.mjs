/**
 * The app that tests and benchmarks deploy. The app identifies itself, echoes, streams, and misbehaves on request:
 *
 * - `START_DELAY_MS`: listens only after this delay
 * - `EXIT_CODE`: writes a line to each stream and exits with this code at once
 * - `NEVER_LISTEN=1`: runs and listens on nothing
 * - `FAIL_HEALTH=1`: answers `/health` with 500, and all other paths as usual
 *
 * The app listens on `PORT` and detects HTTP/1.1 or HTTP/2 without TLS by the first bytes of a connection. On SIGTERM
 * the app stops accepting connections, completes the running requests and exits with 0.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import { endStreams, handle, handleUnary } from './handlers.mjs';
import { closeWebSockets, upgrade } from './websocket.mjs';

const { PORT = '8080', START_DELAY_MS = '0', EXIT_CODE, NEVER_LISTEN } = process.env;
/**
 * Interval in milliseconds at which idle connections are closed after the signal. A response that was in progress at
 * the signal leaves its connection open.
 */
const CLOSE_IDLE_MS = 50;
const HTTP2_PREFACE = Buffer.from('PRI * HTTP/2.0');

const http = createHttpServer(handle);
// The client behind the proxy decides how long a connection stays open. A server that closes first loses requests.
http.keepAliveTimeout = 0;
http.on('upgrade', upgrade);

const http2 = createHttp2Server();
const sessions = new Set();
http2.on('session', (session) => {
  sessions.add(session);
  session.on('close', () => sessions.delete(session));
  session.on('error', (error) => console.error(`session: ${error.message}`));
});
http2.on('request', (request, response) => {
  const isUnary = request.headers['content-type']?.startsWith('application/grpc');
  (isUnary ? handleUnary : handle)(request, response);
});

/** Passes a connection to the server of its protocol, together with the bytes that identified the protocol. */
function sniff(socket) {
  socket.on('error', (error) => console.error(`connection: ${error.message}`));
  socket.once('readable', () => {
    const first = socket.read();
    if (first === null) return;
    const length = Math.min(first.length, HTTP2_PREFACE.length);
    const isHttp2 = first.subarray(0, length).equals(HTTP2_PREFACE.subarray(0, length));
    socket.unshift(first);
    (isHttp2 ? http2 : http).emit('connection', socket);
  });
}

const listener = createServer(sniff);

function stop() {
  console.log('stopping');
  listener.close(() => process.exit(0));
  endStreams();
  closeWebSockets();
  // Every response from here on closes its connection. Idle connections can be closed at once.
  http.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  setInterval(() => http.closeIdleConnections(), CLOSE_IDLE_MS);
  http.closeIdleConnections();
  for (const session of sessions) session.close();
  for (const socket of idle) socket.destroy();
}

/** Connections without any received byte. No client waits for a response on them. */
const idle = new Set();
listener.on('connection', (socket) => {
  idle.add(socket);
  const said = () => idle.delete(socket);
  socket.once('readable', said);
  socket.once('close', said);
});

if (EXIT_CODE !== undefined) {
  console.log('starting');
  console.error('fatal: exit requested');
  process.exit(Number(EXIT_CODE));
}
process.on('SIGTERM', stop);
if (NEVER_LISTEN === '1') setInterval(() => undefined, 60_000);
else setTimeout(() => listener.listen(Number(PORT), () => console.log(`listening on ${PORT}`)), Number(START_DELAY_MS));
