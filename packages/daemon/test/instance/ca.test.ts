import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, type TestDaemon } from '@davit/testkit';

describe('the CA certificate of the instance', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  it('is a PEM file with the name that connection lines expect', async () => {
    const answer = await daemon.call('GET', '/api/instance/ca.pem');

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pem-certificate-chain');
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="davit-ca.pem"');
    assert.ok(new X509Certificate(answer.text).ca);
    assert.doesNotMatch(answer.text, /PRIVATE KEY/);
    assert.equal(await daemon.client.getInstanceCa(), answer.text);
  });

  it('is not for callers who have not signed in', async () => {
    assert.equal((await daemon.send({ path: '/api/instance/ca.pem' })).status, 401);
  });
});
