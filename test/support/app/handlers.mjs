/** Request handlers of the test app, shared by HTTP/1.1 and HTTP/2. */
import { createHash } from 'node:crypto';

const { DAVIT_TAG = '', DAVIT_REPLICA = '', DAVIT_DEPLOYMENT = '', FAIL_HEALTH } = process.env;
const WHO = JSON.stringify({ tag: DAVIT_TAG, instance: DAVIT_REPLICA, deployment: Number(DAVIT_DEPLOYMENT) });
const TICK_MS = 100;

const streams = new Set();

function json(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Returns the length and the hash of the request's body, so that the sender can compare them. */
async function echo(request, response) {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    hash.update(chunk);
  }
  json(response, JSON.stringify({ ...JSON.parse(WHO), length, sha256: hash.digest('hex') }));
}

/** Sends events numbered from 1, so that a missing event is detected. */
function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let id = 0;
  const timer = setInterval(() => {
    id += 1;
    response.write(`id: ${id}\ndata: ${WHO}\n\n`);
  }, TICK_MS);
  streams.add(response);
  response.on('close', () => {
    clearInterval(timer);
    streams.delete(response);
  });
}

export function endStreams() {
  for (const response of streams) response.end();
}

export function handle(request, response) {
  const url = new URL(request.url, 'http://app');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return json(response, WHO);
    case 'GET /health':
      return json(response, '{}', FAIL_HEALTH === '1' ? 500 : 200);
    case 'GET /slow':
      return void setTimeout(() => json(response, WHO), Number(url.searchParams.get('ms') ?? 2000));
    case 'GET /sse':
      return stream(response);
    case 'POST /echo':
      return void echo(request, response).catch(() => response.destroy());
    default:
      return json(response, '{}', 404);
  }
}

/** Answers a unary call like a gRPC server: it returns the message, and the status in the trailers. */
export function handleUnary(request, response) {
  response.writeHead(200, { 'content-type': 'application/grpc' });
  response.addTrailers({ 'grpc-status': '0', 'davit-tag': DAVIT_TAG });
  request.pipe(response);
}
