import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError, ERRORS } from './errors.ts';
import { refusal } from './refusal.ts';

const DOCUMENT = 'application/problem+json';

function answered(status: number, type: string, body: unknown, more: Record<string, string> = {}): DavitError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return refusal({ status, headers: new Headers({ 'content-type': type, ...more }) }, text);
}

const PROBLEM = {
  ...{ type: 'about:blank', title: 'x', status: 422, detail: 'The template needs Davit 2.', code: 'template_invalid' },
  ...{
    fields: [{ path: 'source.file', code: 'invalid', message: 'is not valid.' }],
    retryable: false,
    request_id: 'r1',
  },
};

describe('an error response', () => {
  it('becomes a DavitError with all values of its problem document', () => {
    const error = answered(422, DOCUMENT, PROBLEM, { 'retry-after': '7' });
    assert.ok(error instanceof DavitError);
    assert.deepEqual(
      [error.code, error.status, error.message, error.retryable, error.retryAfterS, error.requestId],
      ['template_invalid', 422, 'The template needs Davit 2.', false, 7, 'r1'],
    );
    assert.deepEqual(error.fields, PROBLEM.fields);
  });

  it('keeps its code for every known error code', () => {
    for (const [code, { status }] of Object.entries(ERRORS)) {
      assert.equal(answered(status, DOCUMENT, { ...PROBLEM, code, status }).code, code);
    }
  });

  it('includes the quota of a quota_exceeded error', () => {
    const quota = { resource: 'replicas', limit: 1, used: 1, requested: 1 };
    const error = answered(409, DOCUMENT, { ...PROBLEM, code: 'quota_exceeded', quota });
    assert.deepEqual([error.code, error.quota], ['quota_exceeded', quota]);
  });

  it('turns the help path in its type into a URL of the instance', () => {
    const type = '/help/some-page#some-section';
    const url = 'https://davit.example.com/api/apps';
    const headers = new Headers({ 'content-type': DOCUMENT });
    const error = refusal({ status: 422, headers, url }, JSON.stringify({ ...PROBLEM, type }));
    assert.equal(error.help, `https://davit.example.com${type}`);
    assert.equal(answered(422, DOCUMENT, { ...PROBLEM, type }).help, type);
    for (const other of ['about:blank', 'https://other.example/help/a#b', '//other.example/a#b', undefined]) {
      assert.equal(answered(422, DOCUMENT, { ...PROBLEM, type: other }).help, null, other);
    }
  });

  it('uses defaults for fields that an older instance does not send', () => {
    const { fields: _, retryable: __, ...older } = PROBLEM;
    const error = answered(503, DOCUMENT, { ...older, code: 'unavailable' });
    assert.deepEqual([error.fields, error.retryable], [[], true]);
  });

  it('keeps an unknown error code from a newer instance', () => {
    const fields = [{ path: 'a', code: 'from_tomorrow', message: 'x.' }, null, { path: 1 }];
    const error = answered(418, DOCUMENT, { ...PROBLEM, code: 'from_tomorrow', fields, retryable: undefined });
    assert.deepEqual([error.code, error.status, error.retryable], ['from_tomorrow', 418, false]);
    assert.deepEqual(error.fields, [{ path: 'a', code: 'invalid', message: 'x.' }]);
  });

  it('gets the code unexpected_response if the body is no problem document', () => {
    const page = answered(502, 'text/html', '<html>Bad gateway</html>', { 'retry-after': '5' });
    assert.deepEqual([page.code, page.status], ['unexpected_response', 502]);
    assert.match(page.message, /^The response \(HTTP 502\) does not come from a Davit instance\./);
    assert.deepEqual([page.retryable, page.retryAfterS], [true, 5]);
    const text = answered(403, 'text/plain; charset=utf-8', 'Blocked by the firewall.\n');
    assert.deepEqual([text.code, text.status, text.retryable], ['unexpected_response', 403, false]);
    assert.doesNotMatch(text.message, /firewall/);
    for (const body of ['{"type":', '[]', 'null', '{"detail":"x"}']) {
      assert.equal(answered(500, DOCUMENT, body).code, 'unexpected_response', body);
    }
  });

  it('shows a plain text of the daemon and of the proxy of an instance', () => {
    for (const header of ['davit-version', 'davit-proxy']) {
      const own = answered(503, 'text/plain; charset=utf-8', 'The daemon is not ready.\n', { [header]: '1' });
      assert.deepEqual([own.code, own.message], ['unexpected_response', 'The daemon is not ready.']);
    }
  });
});
