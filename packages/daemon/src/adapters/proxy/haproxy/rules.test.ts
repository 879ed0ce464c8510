import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { IS_LONG } from '../../../../../../test/support/tiers.ts';
import { strangeRules } from '../../../../test/support/strange-rules.ts';
import type { RouteRules, RouteTable } from '../proxy.ts';
import { renderConfig } from './config.ts';
import { desiredState } from './desired.ts';
import { ruleEntries, rulesId, rulesLetters } from './rules.ts';

const RUNS = IS_LONG ? 1_000 : 60;

const NONE: RouteRules = {
  ...{ httpsOnly: false, hsts: null, redirectTo: null, basicAuth: null, allow: [], requestsPerMinute: null },
  ...{ maintenance: null, headers: {} },
};
const rules = (some: Partial<RouteRules>): RouteRules => ({ ...NONE, ...some });

test('rulesId and ruleEntries return nothing for rules without effect', () => {
  assert.equal(rulesId(NONE), null);
  assert.equal(rulesId(rules({ hsts: '', redirectTo: '', maintenance: '', requestsPerMinute: 0 })), null);
  assert.equal(ruleEntries(NONE).size, 0);
});

test('rulesId is the same only for the same rules', () => {
  assert.equal(rulesId(rules({ hsts: 'max-age=1' })), rulesId(rules({ hsts: 'max-age=1' })));
  assert.notEqual(rulesId(rules({ hsts: 'max-age=1' })), rulesId(rules({ hsts: 'max-age=2' })));
  assert.notEqual(rulesId(rules({ allow: ['10.0.0.1'] })), rulesId(rules({ allow: ['10.0.0.2'] })));
});

test('rulesLetters lists the rules of a route and HTTPS alone needs no entry', () => {
  assert.equal(rulesId(rules({ httpsOnly: true })), null);
  const letters = [
    rules({ httpsOnly: true }),
    rules({ httpsOnly: true, hsts: 'x' }),
    rules({ httpsOnly: true, redirectTo: 'a.example' }),
    rules({ ...{ allow: ['::1'], requestsPerMinute: 1, maintenance: 'x' }, basicAuth: { salt: 'x', hashes: [] } }),
    rules({ headers: { x: 'y' } }),
  ].map(rulesLetters);

  assert.deepEqual(letters, ['S', 'SH', 'MRT', 'MALDB', 'MX']);
  assert.equal(rulesLetters(NONE), '');
});

test('ruleEntries encodes user text for the map and the maintenance page', () => {
  const entries = ruleEntries(
    rules({ maintenance: `Back <soon> & "well" | 100 %`, headers: { 'X-A': 'b=c&d', 'X-B': '' } }),
  );

  assert.equal(entries.get('maintenance'), 'Back%20%3Csoon%3E%20%26%20%22well%22%20%7C%20100%20%25');
  assert.equal(decodeURIComponent(entries.get('page') ?? ''), 'Back &lt;soon&gt; &amp; &quot;well&quot; | 100 %');
  assert.equal(entries.get('headers'), 'X-A=b%3Dc%26d&X-B=');
});

test('ruleEntries refuses rules that the proxy does not accept', () => {
  const refused: Partial<RouteRules>[] = [
    { hsts: 'max-age=1\r\nx: y' },
    { redirectTo: 'example.com/evil' },
    { redirectTo: 'Example.com' },
    { basicAuth: { salt: '', hashes: [] } },
    { basicAuth: { salt: 'x', hashes: ['0'.repeat(63)] } },
    { basicAuth: { salt: 'x', hashes: [`${'0'.repeat(63)}A`] } },
    { allow: ['10.0.0.0/33'] },
    { allow: ['fe80::1%eth0'] },
    { allow: ['localhost'] },
    { allow: ['10.0.0.1,0.0.0.0/0'] },
    { requestsPerMinute: 1.5 },
    { requestsPerMinute: -1 },
    { maintenance: 'a\nb' },
    { maintenance: '\ud800' },
    { maintenance: 'x'.repeat(1_001) },
    { headers: { 'x y': 'z' } },
    { headers: { 'content-length': '1' } },
    { headers: { 'Transfer-Encoding': '' } },
    { headers: { x: 'a\r\nb: c' } },
    { headers: { x: 'é' } },
    { headers: { x: 'y'.repeat(8_001) } },
  ];

  for (const some of refused) {
    assert.throws(
      () => ruleEntries(rules(some)),
      /^Error: route table: rules: the proxy does not accept /,
      JSON.stringify(some),
    );
  }
});

test('random rules are refused or keep every line of the map files valid', () => {
  let taken = 0;
  fc.assert(
    fc.property(strangeRules, fc.oneof(fc.constant('/a'), fc.webPath(), fc.string()), (own, path) => {
      const table: RouteTable = {
        domain: 'example.com',
        api: { address: '127.0.0.1', port: 1 },
        backends: [{ slot: 1, app: 'a/b/c', protocol: 'http', servers: [] }],
        hosts: [{ host: 'a.example.com', path, slot: 1, rules: own }],
      };
      let desired: ReturnType<typeof desiredState>;
      try {
        desired = desiredState(table);
      } catch (error) {
        assert.match((error as Error).message, /^route table: /);
        return;
      }
      taken += 1;
      const http = { binds: ['*:80'], port: 80 };
      const settings = {
        http,
        https: http,
        accessLog: null,
        reserve: 1,
        socketOwner: null,
        registryPort: null,
        containerNetworks: [],
      };
      const { files } = renderConfig(desired, settings);
      assert.equal(
        files['haproxy.cfg'],
        renderConfig({ ...desired, routes: new Map() }, settings).files['haproxy.cfg'],
      );
      assert.match(files['rules.map'] ?? '', /^(r[0-9a-f]{16}\.[a-z0-9-]+ [\w.~%,:/&=-]+\n)*$/);
      assert.match(files['routes.map'] ?? '', /^(\S+ [\w|]+\n)+$/);
    }),
    { numRuns: RUNS },
  );
  // About one set of rules in five is accepted, so a larger minimum would sometimes be missed.
  assert.ok(taken > 0, 'no rules were accepted');
});
