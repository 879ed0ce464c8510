/** Refusals of a certificate authority that responds as a test defines. */

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import test, { describe } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import { AcmeRefused, AcmeSession } from '../../src/resources/certificates/acme/session.ts';
import { startAuthority } from '../support/test-authority.ts';

const NO_HOOKS = { registered: () => undefined, challenge: async () => undefined };

/** Returns the failure of an order at an authority with these responses. */
async function failureAt(answer: RequestListener, signal = patience()) {
  await using authority = await startAuthority(answer);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await using session = new AcmeSession({
    directory: `${authority.url}/dir`,
    accountKey: privateKey.export({ type: 'sec1', format: 'pem' }) as string,
    accountUrl: null,
    email: 'a@example.com',
    externalAccount: null,
    trustedCa: authority.trustedCa,
  });
  const error = await session.order('a.example.com', NO_HOOKS, signal).catch((e: unknown) => e);
  assert.ok(error instanceof AcmeRefused, String(error));
  return error.failure;
}

const PROBLEM = { 'content-type': 'application/problem+json' };

describe('order failure at a certificate authority', () => {
  test('contains the retry delay of a rate limit', async () => {
    const failure = await failureAt((request, response) => {
      if (request.url === '/account') {
        response.writeHead(201, { location: 'https://localhost/account/1', 'content-type': 'application/json' });
        response.end('{"status":"valid"}');
        return;
      }
      const type = 'urn:ietf:params:acme:error:rateLimited';
      response.writeHead(429, { ...PROBLEM, 'retry-after': '4242' });
      response.end(JSON.stringify({ type, detail: 'too many certificates already issued for "example.com"' }));
    });

    assert.deepEqual(failure, {
      stage: 'order',
      code: 'rateLimited',
      cause: 'limited',
      retryAfterS: 4_242,
      message: 'too many certificates already issued for "example.com"',
    });
  });

  test('counts as unreachable during maintenance', async () => {
    const failure = await failureAt((_, response) => {
      response.writeHead(503, { ...PROBLEM, 'retry-after': '60' }).end('{"detail":"down for maintenance"}');
    });

    assert.deepEqual(failure, {
      stage: 'register',
      code: null,
      cause: 'unreached',
      retryAfterS: 60,
      message: 'down for maintenance',
    });
  });

  test('contains the message of the authority, limited to 1000 characters', async () => {
    const failure = await failureAt((_, response) => {
      response.writeHead(403, PROBLEM).end(JSON.stringify({ type: 'x', detail: `no. ${'x'.repeat(5_000)}` }));
    });

    const { cause, message } = failure;

    assert.equal(cause, 'refused');
    assert.match(message, /^no\. x+$/);
    assert.equal(message.length, 1_000);
  });

  test('counts as unreachable if the connection is closed', async () => {
    const failure = await failureAt((request) => request.socket.destroy());

    assert.equal(failure.cause, 'unreached');
  });

  test('is reported for redirects and URLs without HTTPS', async () => {
    const elsewhere = 'http://127.0.0.1:1/metadata';
    const redirected = await failureAt((_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    const named = await failureAt((request, response) => {
      const order = { status: 'pending', authorizations: [elsewhere], finalize: elsewhere };
      response.writeHead(201, { location: 'https://localhost/1', 'content-type': 'application/json' });
      response.end(JSON.stringify(request.url === '/order' ? order : {}));
    });

    for (const { message } of [redirected, named]) assert.match(message, /without HTTPS/);
  });

  test('has a clear message for an HTML, malformed or oversized response', async () => {
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>'),
      (_, response) => response.writeHead(201, { 'content-type': 'application/json' }).end('null'),
      (_, response) => response.writeHead(400, PROBLEM).end('{"type": 7, "detail": {"a": [1]}}'),
      (_, response) => response.writeHead(500, PROBLEM).end(JSON.stringify({ detail: 'x'.repeat(4 * 1024 * 1024) })),
    ];

    for (const answer of answers) {
      const { stage, message } = await failureAt(answer);
      assert.equal(stage, 'register');
      assert.match(message, /in a loop|No account URL|sent a response that is not valid|maxContentLength/);
    }
  });
});
