/** The registry under its public host, through the proxy, with and without TLS. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { type Request, send } from '../../support/proxy-load.ts';

const HOST = 'registry.davit.test';
const REPOSITORY = 'shop/production/web';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar.gzip';

describe('the registry under its public host', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance();
    await instance.client.createProject({ body: { slug: 'shop' } });
    // The tag is pinned, because the test is not about deployments.
    const settings = { project: 'shop', name: 'web', source: 'registry' as const, tag: 'none' };
    await instance.client.createApp({ body: settings });
    await until('the registry answers', async () =>
      (await sendToRegistry(false, { path: '/v2/' })).status === 401 ? true : null,
    );
  });
  after(async () => {
    await instance?.[Symbol.asyncDispose]();
  });

  function sendToRegistry(secure: boolean, request: Partial<Request>) {
    return send({ port: secure ? instance.httpsPort : instance.httpPort, host: HOST, secure, ...request });
  }

  const basic = () => `Basic ${Buffer.from(`admin:${instance.key}`).toString('base64')}`;

  for (const secure of [false, true]) {
    const scheme = secure ? 'https' : 'http';

    it(`accepts a push over ${scheme} with the token address and locations from its responses`, async () => {
      const refused = await sendToRegistry(secure, { path: '/v2/' });
      assert.equal(refused.status, 401);
      const asked = /^Bearer realm="([^"]+)",service="davit"/.exec(String(refused.headers['www-authenticate']))?.[1];
      assert.equal(asked, `${scheme}://${HOST}/v2/token`);
      const path = `/v2/token?service=davit&scope=repository:${REPOSITORY}:pull,push`;
      const granted = await sendToRegistry(secure, { path, headers: { authorization: basic() } });
      assert.equal(granted.status, 200, granted.text);
      const authorization = `Bearer ${JSON.parse(granted.text).token}`;

      const put = async (bytes: Buffer) => {
        const begin = { method: 'POST', path: `/v2/${REPOSITORY}/blobs/uploads/`, headers: { authorization } };
        const location = String((await sendToRegistry(secure, begin)).headers.location);
        // The location must be relative, so that the client continues with TLS, which the registry itself does not use.
        assert.match(location, /^\//);
        const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
        const to = { method: 'PUT', path: `${location}&digest=${digest}`, body: bytes };
        const headers = {
          authorization,
          'content-type': 'application/octet-stream',
          'content-length': String(bytes.length),
        };
        assert.equal((await sendToRegistry(secure, { ...to, headers })).status, 201);
        return { digest, size: bytes.length };
      };
      const config = { mediaType: 'application/vnd.docker.container.image.v1+json', ...(await put(Buffer.from('{}'))) };
      const layers = [{ mediaType: LAYER, ...(await put(Buffer.from(`a layer over ${scheme}`))) }];
      const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config, layers }));
      const to = { method: 'PUT', path: `/v2/${REPOSITORY}/manifests/${scheme}`, body };
      const headers = { authorization, 'content-type': MANIFEST, 'content-length': String(body.length) };
      const pushed = await sendToRegistry(secure, { ...to, headers });
      assert.equal(pushed.status, 201, pushed.text);

      const tags = await sendToRegistry(secure, { path: `/v2/${REPOSITORY}/tags/list`, headers: { authorization } });
      assert.ok((JSON.parse(tags.text).tags as string[]).includes(scheme));
    });
  }

  it('exposes no paths of the API at the registry host', async () => {
    for (const path of ['/api/apps', '/hooks/registry', '/healthz']) {
      const { status } = await sendToRegistry(false, { path, headers: { authorization: `Bearer ${instance.key}` } });
      assert.ok(status >= 300 && status < 500, `${path}: ${status}`);
    }
  });

  it('refuses push notifications through the proxy with 401', async () => {
    const through = { port: instance.httpPort, host: 'davit.test', method: 'POST', path: '/hooks/registry' };
    assert.equal((await send({ ...through, headers: { authorization: `Bearer ${instance.key}` } })).status, 401);
  });
});
