import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gitHubHosts } from './hosts.ts';

describe('gitHubHosts', () => {
  it('returns the REST, GraphQL and file hosts of github.com', () => {
    const hosts = gitHubHosts('https://api.github.com/');
    assert.equal(hosts.rest, 'https://api.github.com');
    assert.equal(hosts.graphql, 'https://api.github.com');
    assert.ok(hosts.allows(new URL('https://raw.githubusercontent.com/a/b/c/icon.png')));
  });

  it('returns the REST and GraphQL addresses of GitHub Enterprise Server', () => {
    const hosts = gitHubHosts('https://git.example.com/api/v3');
    assert.equal(hosts.rest, 'https://git.example.com/api/v3');
    assert.equal(hosts.graphql, 'https://git.example.com/api');
    assert.ok(hosts.allows(new URL('https://raw.git.example.com/a/b/c/icon.png')));
  });

  it('returns the addresses of GitHub Enterprise Cloud with data residency', () => {
    const hosts = gitHubHosts('https://api.octocorp.ghe.com');
    assert.equal(hosts.graphql, 'https://api.octocorp.ghe.com');
    assert.ok(hosts.allows(new URL('https://raw.octocorp.ghe.com/a')));
  });

  it('allows addresses without TLS only on the loopback interface', () => {
    for (const url of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.1.2.3:1']) {
      assert.equal(gitHubHosts(url).rest, url);
    }
    for (const url of ['http://api.github.com', 'http://10.0.0.1', 'http://127.0.0.1.evil.com', 'ftp://127.0.0.1']) {
      assert.throws(() => gitHubHosts(url), /must begin with https:/, url);
    }
  });

  for (const url of [
    'http://api.github.com/x',
    'https://github.com/x',
    'https://api.github.com:8443/x',
    'https://api.github.com.evil.com/x',
    'https://evil.com/https://api.github.com',
    'https://api.github.com@evil.com/x',
    'https://token@api.github.com/x',
    'https://127.0.0.1/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://2130706433/x',
    'https://169.254.169.254/latest/meta-data',
    'https://RAW.githubusercontent.com.:443/x',
    'file:///etc/passwd',
    'data:text/plain,x',
  ]) {
    it(`does not allow ${url}`, () => assert.equal(gitHubHosts('https://api.github.com').allows(new URL(url)), false));
  }
});
