/** Addresses of the server itself in requests of users, who must not use the instance to bypass the firewall. */
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import type { NetworkInterfaceInfo } from 'node:os';
import { after, before, describe, it, mock } from 'node:test';
import { bootDaemon, cookieOf, project, signIn, type TestDaemon, user } from '@davit/testkit';

const OWN = '93.184.215.99';
const OWN_6 = '2a01:4f8::99';
/** Address that an admin sets, because behind NAT no interface has it. */
const OUTSIDE = '93.184.215.77';
const NAME = 'own.example';

const INTERFACES = { eth0: [OWN, OWN_6].map((address) => ({ address }) as NetworkInterfaceInfo) };

type Lookup = (
  name: string,
  options: dns.LookupAllOptions,
  done: (error: Error | null, found: dns.LookupAddress[]) => void,
) => void;

describe('an address of the server itself', () => {
  let daemon: TestDaemon;
  let alpha: string;
  let admin: string;
  let cookie: string;
  before(async () => {
    daemon = await bootDaemon({ interfaces: INTERFACES });
    assert.equal((await daemon.call('PATCH', '/api/settings', { public_address: OUTSIDE })).status, 200);
    alpha = await project(daemon);
    admin = user(daemon, 'admin', [alpha]).key;
    cookie = cookieOf(await signIn(daemon));
    const { lookup } = dns;
    mock.method(dns, 'lookup', ((name, options, done) =>
      name === NAME
        ? process.nextTick(done, null, [{ address: OWN, family: 4 }])
        : lookup(name, options, done)) as Lookup);
    syncBuiltinESMExports();
  });
  after(async () => {
    mock.restoreAll();
    syncBuiltinESMExports();
    await daemon[Symbol.asyncDispose]();
  });

  const everyHost = async (work: (host: string) => Promise<void>) => {
    for (const host of [OWN, `[${OWN_6}]`, '[2a01:4f8:0::0099]', OUTSIDE, NAME]) await work(host);
  };

  it('is refused as the client ID of an OAuth request', () =>
    everyHost(async (host) => {
      const { origin } = new URL(daemon.url);
      const request = new URLSearchParams({
        ...{ response_type: 'code', client_id: `https://${new URL(`https://${host}`).host}:8443/x.json` },
        ...{ redirect_uri: 'http://127.0.0.1/callback', resource: `${origin}/mcp` },
        ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
      }).toString();
      const { status, text } = await daemon.send({
        ...{ method: 'POST', path: '/api/oauth/review', body: JSON.stringify({ request }) },
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      });
      assert.equal(status, 400, text);
      // The name is resolved for the connection, and all problems of connections have the same message.
      assert.match(
        text,
        host === NAME ? /could not be read/ : /is a private address or an address of this server/,
        host,
      );
    }));

  it('is refused as the source of a template', () =>
    everyHost(async (host) => {
      const source = { repository: `http://${host}:8500/template.yaml` };
      const { status, text } = await daemon.call('POST', '/api/template-installs?dry_run=true', { source }, admin);
      assert.equal(status, 400, text);
      assert.match(text, /its address is private or belongs to this server/, host);
    }));

  it('gives the same template error as a nonexistent host', async () => {
    const source = { repository: 'http://no-such-name.invalid:8500/template.yaml' };
    const { status, text } = await daemon.call('POST', '/api/template-installs?dry_run=true', { source }, admin);
    assert.equal(status, 400, text);
    assert.match(text, /its address is private or belongs to this server/);
  });

  it('is refused as the object store of an admin limited to some projects', () =>
    everyHost(async (host) => {
      const store = {
        ...{ name: 'own', provider: 'generic', project: alpha, endpoint: `http://${host}:8500`, region: 'eu' },
        ...{ access_key: 'access-key', secret_key: 'secret-key' },
      };
      const { status, text } = await daemon.call('POST', '/api/object-stores', store, admin);
      assert.equal(status, 403, text);
      assert.match(text, /its address is private or belongs to this server. Only an admin/, host);
    }));
});
