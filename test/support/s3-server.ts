/**
 * An object store in a separate process (s3rver, on files) behind a gate. The gate verifies signatures and the signed
 * bytes, aborts uploads and lists in pages, which s3rver does not do. The gate also causes failures on request.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { DONE_HERE, pageOfListing } from './s3-listing.ts';
import { type Denial, judge, type Keys } from './s3-signature.ts';

/** Failure of a request: an error response of the object store, or a failure of the network. */
export type Trouble =
  | (Denial & { headers?: Record<string, string> })
  /**
   * `cut`: the connection ends before a response. `half`: half of the response body is sent. `silence`: no response is
   * ever sent.
   */
  | 'cut'
  | 'half'
  | 'silence';

export interface S3Request {
  method: string;
  /** URL with its query. */
  url: string;
  bytes: number;
}

export interface S3Server extends AsyncDisposable, Keys {
  url: string;
  /** All requests that arrived, including refused ones. */
  asked: S3Request[];
  /** Selects the failure for a request. `undefined` if no request fails. */
  trouble: ((asked: S3Request) => Trouble | undefined) | undefined;
  /** Milliseconds that are added to the clock of the object store. */
  clockMs: number;
  /** Returns the multipart uploads of a bucket that were started but neither completed nor aborted. */
  openUploads(bucket: string): Promise<string[]>;
}

const KEYS: Keys = { accessKey: 'AKIATESTKEY', secretKey: 'canary-s3-7d41f0', region: 'eu-test-1' };
/** Credentials of s3rver itself. All requests behind the gate use them. */
const BEHIND = 'AWS4-HMAC-SHA256 Credential=S3RVER/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';
const UPLOADS = '._S3rver_uploads';

/**
 * Starts an object store.
 * @param keys other keys that the gate accepts
 */
export async function startS3Server(keys: Partial<Keys> = {}): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-s3-'));
  const { port, stop } = await startBehind(folder);
  const gate = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  /**
   * The last request of each upload. Requests of one upload run in sequence. s3rver creates an upload again if a part
   * arrives during its removal.
   */
  const ofUpload = new Map<string, Promise<void>>();
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const store: S3Server = {
    ...KEYS,
    ...keys,
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    asked: [],
    trouble: undefined,
    clockMs: 0,
    openUploads: async (bucket) => {
      const found = await readdir(join(folder, bucket), { withFileTypes: true });
      return found.some(({ name }) => name === UPLOADS) ? readdir(join(folder, bucket, UPLOADS)) : [];
    },
    async [Symbol.asyncDispose]() {
      gate.close();
      gate.closeAllConnections();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const received = { method, url, bytes: body.length };
    store.asked.push(received);
    const trouble = store.trouble?.(received);
    if (trouble === 'silence') return;
    if (trouble === 'cut') {
      response.destroy();
      return;
    }
    if (trouble !== undefined && trouble !== 'half') return answer(response, trouble);
    const denial = judge({ method, url, headers, body }, store, Date.now() + store.clockMs);
    if (denial) return answer(response, denial);
    const forwarded = () => forward({ port, request, url, body, response, isHalf: trouble === 'half' });
    const upload = new URL(url, 'http://gate').searchParams.get('uploadId');
    if (upload === null) return forwarded();
    const work = (ofUpload.get(upload) ?? Promise.resolve()).then(() =>
      method === 'DELETE' ? removeUpload(upload, url, response) : forwarded(),
    );
    ofUpload.set(
      upload,
      work.catch(() => undefined),
    );
    await work;
  }

  async function removeUpload(upload: string, url: string, response: ServerResponse): Promise<void> {
    await rm(join(folder, decodeURIComponent(url.split('/')[1] ?? ''), UPLOADS, upload), { recursive: true });
    response.writeHead(204).end();
  }

  return store;
}

async function startBehind(folder: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const main = join(dirname(createRequire(import.meta.url).resolve('s3rver/package.json')), 'bin/s3rver.js');
  const child = spawn(process.execPath, [main, '-d', folder, '-a', '127.0.0.1', '-p', '0', '--silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const port = /listening on .*:(\d+)$/.exec(line)?.[1];
    if (port === undefined) continue;
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return { port: Number(port), stop };
  }
  throw new Error('s3rver ended before it listened');
}

function answer(response: ServerResponse, { status, code, more = '', headers }: Denial & { headers?: object }): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message>${more}</Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(xml);
}

interface Forwarding {
  port: number;
  request: IncomingMessage;
  url: string;
  body: Buffer;
  response: ServerResponse;
  isHalf: boolean;
}

async function forward({ port, request, url, body, response, isHalf }: Forwarding): Promise<void> {
  const at = new URL(url, 'http://gate');
  const isListing = at.searchParams.has('list-type');
  const wanted = [...at.searchParams].filter(([name]) => !/^x-(amz|id)/i.test(name) && !DONE_HERE.includes(name));
  const query = wanted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const { host: _, authorization: __, ...headers } = request.headers;
  const behind = httpRequest({
    host: '127.0.0.1',
    port,
    method: request.method ?? '',
    path: `${url.split('?')[0]}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...headers,
      authorization: BEHIND,
      'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    },
  });
  behind.end(body);
  const [got] = (await once(behind, 'response')) as [IncomingMessage];
  const bytes = await buffer(got);
  const isPage = isListing && got.statusCode === 200;
  const out = isPage ? Buffer.from(pageOfListing(bytes.toString(), at.searchParams)) : bytes;
  const length = request.method === 'HEAD' ? got.headers['content-length'] : String(out.length);
  response.writeHead(got.statusCode ?? 500, {
    ...got.headers,
    ...(length !== undefined && { 'content-length': length }),
  });
  if (!isHalf) {
    response.end(out);
    return;
  }
  response.write(out.subarray(0, Math.floor(out.length / 2)), () => response.destroy());
}
