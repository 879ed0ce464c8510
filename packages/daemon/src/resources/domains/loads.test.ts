/**
 * The proxy must accept every value that the API accepts. One value that the proxy refuses would keep the routes of all
 * apps from the proxy.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { DavitError, DomainCreate } from '@davit/api';
import * as fc from 'fast-check';
import { IS_LONG } from '../../../../../test/support/tiers.ts';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { desiredState } from '../../adapters/proxy/haproxy/desired.ts';
import { routeTable } from '../../routing/route-table.ts';
import { addDomain } from './domain.ts';

/** Maximum length of a line in a map of the proxy: the default size of a buffer minus the part that stays free. */
const LONGEST_LINE = 16_384 - 1_024;

const signs = fc.constantFrom(...`'"()*!%&=;:,@+~/. <>#|\\-_aZ0`);
const texts = (most: number) =>
  fc.oneof(
    fc.string({ unit: signs, maxLength: most, size: 'max' }),
    fc.string({ unit: 'grapheme', maxLength: Math.floor(most / 4) }),
    signs.map((sign) => sign.repeat(most)),
  );
/** Generates mostly valid values, and sometimes invalid ones. */
const mostly = <T, W>(usual: fc.Arbitrary<T>, wild: fc.Arbitrary<W>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: wild });
const visible = (most: number) => texts(most).map((text) => text.replaceAll(/[^\x21-\x7e]/g, "'"));

const hosts = mostly(
  fc.domain(),
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((label) => `${label}.example`),
    fc.string({ unit: fc.constantFrom(...'aZ0_-.ß。ｆİ%[:'), minLength: 1, maxLength: 255 }),
  ),
);
const networks = mostly(
  fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.nat(32)).map((parts) => parts.join('/')),
    fc.tuple(fc.ipV6(), fc.nat(128)).map((parts) => parts.join('/')),
    fc.constantFrom('0.0.0.0/0', '::/0', '::ffff:1.2.3.4', '::ffff:0:0/96', '0:0:0:0:0:FFFF:102:304/128'),
  ),
  fc.constantFrom('1.2.3.4/33', '::1%lo', '1.2.3', ''),
);
const paths = mostly(
  fc.oneof(
    fc.constantFrom('/', '/%41', '/a/', `/${'a'.repeat(254)}`, '/...', '/.well-known'),
    fc
      .string({ unit: fc.constantFrom(...'aZ0._~@:+=!$&(),*-'), minLength: 3, maxLength: 40 })
      .map((text) => `/${text}`),
  ),
  fc.oneof(
    fc.constantFrom('/.', '/a/../b', '/%2f', '/a//b', '/%00', ''),
    texts(40).map((text) => `/${text}`),
  ),
);
const someUsers = (name: fc.Arbitrary<string>, password: fc.Arbitrary<string>) =>
  fc.dictionary(name, password, { minKeys: 1, maxKeys: 5 });
const users = mostly(
  someUsers(
    visible(20).map((name) => `u${name.replaceAll(':', '.')}`),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `p${text}`),
  ),
  someUsers(texts(20), texts(60)),
);
const headers = mostly(
  fc.dictionary(fc.stringMatching(/^x-[!#$%&'*+.^_|~a-z0-9-]{1,20}$/), visible(1_000), { maxKeys: 6 }),
  fc.dictionary(texts(10), texts(2_001), { maxKeys: 6 }),
);
const years = (most: number) => most * 31_536_000;

const domains = fc.record(
  {
    host: hosts,
    path: paths,
    https: fc.constantFrom('auto', 'only', 'both'),
    hsts: fc.record({
      max_age_s: fc.constantFrom(0, 1, years(1), years(10), years(11)),
      include_subdomains: fc.boolean(),
    }),
    redirect_to: hosts,
    basic_auth: fc.record({ users }),
    allow: fc.array(networks, { maxLength: 40 }),
    rate_limit: fc.record({ requests_per_minute: fc.constantFrom(1, 1_000_000) }),
    maintenance: fc.record({ message: mostly(visible(500), texts(501)) }),
    headers,
  },
  { requiredKeys: ['host'] },
);

test('the proxy configuration accepts every domain that the API accepts', async () => {
  using harness = CoreHarness.withApp();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(domains, async (fields) => {
      const parsed = DomainCreate.safeParse(fields);
      if (!parsed.success) return;
      try {
        await addDomain(harness.core, harness.admin, harness.app(), parsed.data);
        taken += 1;
      } catch (error) {
        assert.ok(error instanceof DavitError, String(error));
        return;
      }
      const { routes, rules } = desiredState(routeTable(harness.core));
      for (const [key, { value }] of routes) assert.match(`${key} ${value}`, /^[\x21-\x7e]+ [\x21-\x7e]+$/);
      for (const [key, value] of rules) {
        assert.match(`${key} ${value}`, /^[\x21-\x7e]+ [\x21-\x7e]+$/);
        assert.ok(key.length + value.length < LONGEST_LINE, `${key} takes ${value.length}`);
      }
    }),
    { numRuns: IS_LONG ? 200 : 40 },
  );
  assert.ok(taken > 0);
});

for (const sign of `'"()*!%;a`) {
  test(`accepted header values made of ${sign} fit into the proxy configuration`, async () => {
    using harness = CoreHarness.withApp();
    const names = ['content-security-policy', 'permissions-policy', 'x-a', 'x-b', 'x-c'];
    const add = (count: number) => {
      const headers = Object.fromEntries(names.slice(0, count).map((name) => [name, sign.repeat(1_990)]));
      const domain = DomainCreate.parse({ host: `host-${count}.example`, headers });
      return addDomain(harness.core, harness.admin, harness.app(), domain);
    };

    for (const count of names.keys()) {
      await add(count + 1).catch((error: unknown) => assert.equal((error as DavitError).code, 'invalid_input'));
      assert.doesNotThrow(() => desiredState(routeTable(harness.core)));
    }
  });
}
