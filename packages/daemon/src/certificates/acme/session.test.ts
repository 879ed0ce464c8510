/** How an authority's refusals come out, from one that answers as it is told to. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import test, { describe } from 'node:test';
import { makeCertificate } from '../../../test/support/make-certificate.ts';
import { AcmeRefused, AcmeSession } from './session.ts';

const NOBODY = { registered: () => undefined, challenge: async () => undefined };

/** An authority that has a directory and nonces, and answers everything else so. */
async function authority(answer: RequestListener) {
  const { certificate, key } = await makeCertificate(['localhost'], { isAuthority: true });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const { port } = server.address() as AddressInfo;
    const url = (path: string) => `https://localhost:${port}${path}`;
    response.setHeader('replay-nonce', 'nonce');
    if (request.url === '/nonce') response.end();
    else if (request.url === '/dir') {
      const directory = { newNonce: url('/nonce'), newAccount: url('/account'), newOrder: url('/order') };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(directory));
    } else answer(request, response);
  });
  server.listen(0);
  await once(server, 'listening');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const session = new AcmeSession({
    directory: `https://localhost:${(server.address() as AddressInfo).port}/dir`,
    accountKey: privateKey.export({ type: 'sec1', format: 'pem' }) as string,
    accountUrl: null,
    email: 'a@example.com',
    externalAccount: null,
    trustedCa: certificate,
  });
  return {
    async failure() {
      const error = await session.order('a.example.com', NOBODY, AbortSignal.timeout(30_000)).catch((e: unknown) => e);
      assert.ok(error instanceof AcmeRefused, String(error));
      return error.failure;
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
}

const PROBLEM = { 'content-type': 'application/problem+json' };

describe('an authority', () => {
  test('that asks for patience is given it, for as long as it says', async () => {
    await using ca = await authority((request, response) => {
      if (request.url === '/account') {
        response.writeHead(201, { location: 'https://localhost/account/1', 'content-type': 'application/json' });
        response.end('{"status":"valid"}');
        return;
      }
      const type = 'urn:ietf:params:acme:error:rateLimited';
      response.writeHead(429, { ...PROBLEM, 'retry-after': '4242' });
      response.end(JSON.stringify({ type, detail: 'too many certificates already issued for "example.com"' }));
    });

    assert.deepEqual(await ca.failure(), {
      stage: 'order',
      cause: 'limited',
      retryAfterS: 4_242,
      message: 'too many certificates already issued for "example.com"',
    });
  });

  test('that is being looked after counts as not reached', async () => {
    await using ca = await authority((_, response) => {
      response.writeHead(503, { ...PROBLEM, 'retry-after': '60' }).end('{"detail":"down for maintenance"}');
    });

    assert.deepEqual(await ca.failure(), {
      stage: 'register',
      cause: 'unreached',
      retryAfterS: 60,
      message: 'down for maintenance',
    });
  });

  test('that refuses is told in its own words, and in no more than fit', async () => {
    await using ca = await authority((_, response) => {
      response.writeHead(403, PROBLEM).end(JSON.stringify({ type: 'x', detail: `no. ${'x'.repeat(5_000)}` }));
    });

    const { cause, message } = await ca.failure();

    assert.equal(cause, 'refused');
    assert.match(message, /^no\. x+$/);
    assert.equal(message.length, 1_000);
  });

  test('that hangs up was not reached', async () => {
    await using ca = await authority((request) => request.socket.destroy());

    assert.equal((await ca.failure()).cause, 'unreached');
  });
});
