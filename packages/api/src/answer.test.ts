import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAccountClient } from './account-client.ts';
import { createClient } from './client.ts';
import { DavitError } from './errors.ts';

const PAGE = '<!doctype html><title>Sign in to the network</title>';

/** Clients that get this response to every request. */
function clientsOf(body: string | null, type: string, status = 200) {
  const url = 'https://davit.example.com';
  const fetch = async (address: string) => {
    // A response with bytes instead of text gets no default content type.
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const response = new Response(bytes, { status, headers: type === '' ? {} : { 'content-type': type } });
    return Object.defineProperty(response, 'url', { value: address });
  };
  return { client: createClient({ url, fetch }), account: createAccountClient({ url, fetch }) };
}

/** Checks that the error names the status and the address, and contains no text of the body. */
function isForeign(status: number) {
  return (error: unknown) => {
    assert.ok(error instanceof DavitError);
    assert.deepEqual([error.code, error.status], ['unexpected_response', status]);
    assert.match(
      error.message,
      new RegExp(`^The response from https://davit\\.example\\.com \\(HTTP ${status}\\) does`),
    );
    assert.doesNotMatch(error.message, /html|Sign in to/);
    return true;
  };
}

describe('a response that is not from an instance', () => {
  const pages: [string, string][] = [
    ['text/html; charset=utf-8', PAGE],
    ['application/xml', PAGE],
    ['application/json', PAGE],
    ['', PAGE],
  ];

  it('makes a successful request fail without showing the body', async () => {
    for (const [type, body] of pages) {
      const { client, account } = clientsOf(body, type);
      await assert.rejects(client.listProjects(), isForeign(200), type);
      await assert.rejects(account.keys(), isForeign(200), type);
    }
  });

  it('makes a refused request fail without showing the body', async () => {
    for (const [type, body] of [...pages, ['text/plain', PAGE] as const]) {
      const { client, account } = clientsOf(body, type, 502);
      await assert.rejects(client.listProjects(), isForeign(502), type);
      await assert.rejects(account.keys(), isForeign(502), type);
    }
  });

  it('makes an event stream fail instead of ending it or repeating the request', async () => {
    for (const type of ['text/html', 'application/json', 'text/plain']) {
      const { client } = clientsOf(PAGE, type);
      await assert.rejects(client.live.followEvents().next(), isForeign(200), type);
    }
  });
});

it('bodies of an instance are JSON, plain text or empty', async () => {
  const params = { project: 'a', environment: 'b', app: 'c' };
  assert.deepEqual(await clientsOf('[]', 'application/json; charset=utf-8').client.listProjects(), []);
  assert.equal(await clientsOf('one\n', 'text/plain; charset=utf-8').client.getAppLogs({ params }), 'one\n');
  assert.equal(await clientsOf(null, '', 204).client.deleteApp({ params }), undefined);
});
