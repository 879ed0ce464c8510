/** Tests the advice of `davit cert list` on an instance without certificates. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { app, paramsOf, slug } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('davit cert list', () => {
  const on = withDavit();

  it('says why the instance has no certificates', async () => {
    const advice = async () => {
      const { code, stdout, stderr } = await on.davit.run(['cert', 'list']);
      assert.deepEqual([code, stdout], [0, '']);
      return stderr;
    };
    const EMAIL = /davit settings set acme\.email=/;

    assert.match(await advice(), EMAIL);

    await on.daemon.client.patchSettings({ body: { acme: { email: 'ops@example.com' } } });
    const idle = await advice();
    assert.match(idle, /No app has a domain\. .*davit domain add/);
    assert.doesNotMatch(idle, EMAIL);

    const made = await app(on.daemon);
    const host = `${slug('shop')}.example`;
    await on.daemon.client.addDomain({ params: paramsOf(made), body: { host } });
    const { stdout } = await on.davit.run(['domain', 'get', made.reference, host, '--json']);
    const { problem } = JSON.parse(stdout).certificate;
    assert.ok((await advice()).includes(`\n${host}: ${problem}\n`));

    for (const words of [['--json'], ['--quiet']])
      assert.equal((await on.davit.run(['cert', 'list', ...words])).stderr, '');
  });
});
