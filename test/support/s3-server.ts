/**
 * An object store as a process of its own (s3rver, on files), behind a gate that judges signatures and the bytes under them,
 * which s3rver does not, takes uploads back, lists in pages, and gives trouble when it is told to.
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

/** What goes wrong with a request: an answer of the store's, or of what is between. */
export type Trouble =
  | (Denial & { headers?: Record<string, string> })
  /** The connection ends before there is an answer; half of the answer's body is sent; nothing is ever answered. */
  | 'cut'
  | 'half'
  | 'silence';

export interface S3Asked {
  method: string;
  /** With its query. */
  url: string;
  bytes: number;
}

export interface S3Server extends AsyncDisposable, Keys {
  url: string;
  /** Every request that came, with those that were refused. */
  asked: S3Asked[];
  /** Undefined: all is well. */
  trouble: ((asked: S3Asked) => Trouble | undefined) | undefined;
  /** What is added to the store's clock. */
  clockMs: number;
  /** The uploads in parts of a bucket that were begun and neither ended nor taken back. */
  openUploads(bucket: string): Promise<string[]>;
}

const KEYS: Keys = { accessKey: 'AKIATESTKEY', secretKey: 'canary-s3-7d41f0', region: 'eu-test-1' };
/** s3rver's own, which anybody may have who is behind the gate. */
const BEHIND = 'AWS4-HMAC-SHA256 Credential=S3RVER/20200101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';
const UPLOADS = '._S3rver_uploads';

/** @param keys those that the gate takes, where a test wants others */
export async function startS3Server(keys: Partial<Keys> = {}): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-s3-'));
  const { port, stop } = await startBehind(folder);
  const gate = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  /** The last request of each upload. The program behind makes an upload anew when a part arrives as it is removed. */
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
    const asked = { method, url, bytes: body.length };
    store.asked.push(asked);
    const trouble = store.trouble?.(asked);
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
