import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, type AppDomain, AppSettings, type Variables } from '@davit/api';
import { parseDavitFile } from '../davit-yaml/parse.ts';
import { CliError } from '../errors/exit.ts';
import type { Observed } from './observe.ts';
import { differs, type Plan, plan, type Values } from './plan.ts';
import { demandPossible } from './possible.ts';
import { changeText } from './show.ts';

const NOTHING: Observed = { hasProject: false, hasEnvironment: false, app: null, variables: null, live: null };

const DOMAIN: AppDomain = {
  id: 7,
  host: 'shop.example',
  path: null,
  port: null,
  protocol: 'http',
  https: 'auto',
  hsts: null,
  redirect_to: null,
  basic_auth: null,
  allow: [],
  rate_limit: null,
  maintenance: null,
  headers: {},
  created_at: '2030-01-01T00:00:00Z',
};

/** Returns an app in the state that a file with only these settings produces. */
function there(settings: Record<string, unknown>, more: Partial<App> = {}, variables?: Partial<Variables>): Observed {
  const spec = AppSettings.parse({ source: 'registry', ...settings });
  const app = { ...spec, domains: [], volumes: [], ...more } as unknown as App;
  const all: Variables = { vars: {}, secret: [], effective: [], ...variables };
  return { hasProject: true, hasEnvironment: true, app, variables: all, live: null };
}

function refusalOf(lines: string, observed: Observed): string | null {
  const parsed = parseDavitFile(`app: shop/production/web\n${lines}`);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  try {
    demandPossible(parsed.file, plan(parsed.file, {}, observed), observed);
    return null;
  } catch (error) {
    assert.ok(error instanceof CliError && error.exit === 'conflict');
    return error.message;
  }
}

function planOf(lines: string, observed: Observed, values: Values = {}): Plan {
  const parsed = parseDavitFile(`app: shop/production/web\n${lines}`);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return plan(parsed.file, values, observed);
}

const texts = ({ changes }: Plan) => changes.map(changeText);

describe('a davit.yaml plan', () => {
  it('creates missing resources and sets only values that differ from defaults', () => {
    const planned = planOf('port: null\nargs: [a]\nvolumes: [/data]\ndomains: [Shop.Example.]\n', NOTHING);

    assert.deepEqual(texts(planned), [
      '+ project shop',
      '+ app shop/production/web',
      '+ port: null',
      '+ args: ["a"]',
      '+ domain shop.example',
      '+ volume /data',
    ]);
    assert.deepEqual(planned.domains.add, [{ host: 'shop.example', path: null }]);
  });

  it('is empty if the app matches the file', () => {
    const planned = planOf('scale: 2\nhealth: {path: /up}\n', there({ scale: 2, health: { path: '/up' } }));

    assert.deepEqual([texts(planned), planned.settings, differs(planned)], [[], null, false]);
  });

  it('keeps a number of replicas that the file does not contain', () => {
    const planned = planOf('args: [a]\n', there({ scale: 3 }));

    assert.deepEqual(texts(planned), ['+ args: ["a"]', '= scale, not in the file: no change']);
    assert.equal(planned.settings?.scale, 3);
    assert.deepEqual(texts(planOf('', there({ scale: 1 }))), []);
    assert.deepEqual(texts(planOf('scale: 1\n', there({ scale: 3 }))), ['~ scale: 3 → 1']);
  });

  it('keeps the files of an app unchanged', () => {
    const files = [{ path: '/etc/shop.ini', mode: '0600', version: '0123456789abcdef' }];
    const planned = planOf('scale: 2\n', there({ files }));

    assert.deepEqual(texts(planned), ['~ scale: 1 → 2']);
    assert.deepEqual(planned.settings?.files, files);
    assert.equal(parseDavitFile('app: shop/production/web\nfiles: []\n').ok, false);
  });

  it('does not treat the push repository as a changed setting', () => {
    const planned = planOf('', there({}, { image: 'localhost:5000/shop/production/web' }));

    assert.deepEqual([texts(planned), planned.settings], [[], null]);
  });

  it('lists each changed setting and each return to a default', () => {
    const planned = planOf('health: {path: /up}\n', there({ health: { path: '/old', grace_s: 5 }, args: ['a'] }));

    assert.deepEqual(texts(planned), [
      '- args: ["a"] goes back to the default',
      '~ health.path: "/old" → "/up"',
      '- health.grace_s: 5 goes back to the default, 60',
    ]);
    assert.equal(planned.settings?.args, null);
  });

  it('shows the value of the file if this value is the default', () => {
    const observed = there({ health: { grace_s: 5 }, args: ['a'], limits: { memory_bytes: 2 ** 26 } });
    const planned = planOf('health: {grace_s: 60}\nargs: null\nlimits: {memory: null}\n', observed);

    assert.deepEqual(texts(planned), [
      '~ args: ["a"] → null',
      '~ health.grace_s: 5 → 60',
      '~ limits.memory_bytes: 67108864 → null',
    ]);
  });

  it('splits the tag from an image and keeps the source external', () => {
    const planned = planOf(
      'image: localhost:5000/shop/web:v2\n',
      there({ source: 'external', image: 'localhost:5000/shop/web', tag: 'v1' }),
    );

    assert.deepEqual(texts(planned), ['~ tag: "v1" → "v2"']);
    assert.deepEqual([planned.settings?.source, planned.settings?.image], ['external', 'localhost:5000/shop/web']);
  });

  it('changes only variables that differ and shows no secret', () => {
    const variables = { vars: { A: '1', B: 'old', S: 'was', KEPT: 'x' }, secret: ['S'] };
    const values: Values = {
      A: { value: '1', secret: false },
      B: { value: 'new', secret: false },
      S: { value: 'canary', secret: true },
    };
    const planned = planOf('', there({}, {}, variables), values);

    assert.deepEqual(texts(planned), [
      '~ variable B: "old" → "new"',
      '~ variable S (secret)',
      '= variable KEPT, not in the file: no change',
    ]);
    assert.deepEqual(planned.variables, { set: { B: 'new', S: 'canary' }, secret: ['S'] });
  });

  it('hides the old secret value if the file sets a plain value', () => {
    const planned = planOf('', there({}, {}, { vars: { S: 'canary' }, secret: ['S'] }), {
      S: { value: 'plain', secret: false },
    });

    assert.deepEqual(texts(planned), ['~ variable S: "plain"']);
  });

  it('reports only secrets that have no value on any level', () => {
    const effective = [{ key: 'FROM_PROJECT', value: null, source: 'project' as const, secret: true }];
    const planned = planOf('secrets: [FROM_PROJECT, MISSING]\n', there({}, {}, { effective }));

    assert.deepEqual(planned.missing, ['MISSING']);
  });

  it('changes only the domain settings that the file contains', () => {
    const domains = [{ ...DOMAIN, headers: { 'x-old': '1' }, https: 'only' as const }];
    const file = 'domains:\n  - {host: shop.example, port: 9000, headers: {X-New: "2"}}\n';
    const planned = planOf(file, there({}, { domains }));

    assert.deepEqual(planned.domains.change, [
      { id: 7, host: 'shop.example', body: { port: 9000, headers: { 'x-old': null, 'x-new': '2' } } },
    ]);
    assert.deepEqual(texts(planOf('domains: [shop.example]\n', there({}, { domains }))), []);
  });

  it('distinguishes domains of the same host by their paths', () => {
    const domains = [{ ...DOMAIN, path: '/api' }];
    const planned = planOf('domains: [{host: shop.example, path: /api/}, shop.example]\n', there({}, { domains }));

    assert.deepEqual(texts(planned), ['+ domain shop.example']);
  });

  it('does not remove domains or volumes that are missing in the file', () => {
    const volumes = [{ id: 1, path: '/data', name: 'v1' }];
    const planned = planOf('', there({}, { volumes, domains: [DOMAIN] }));

    assert.deepEqual(texts(planned), [
      '= domain shop.example, not in the file: no change',
      '= volume /data, not in the file: no change',
    ]);
    assert.equal(differs(planned), false);
  });

  it('is refused if kept items of the app contradict the file', () => {
    const volumes = [{ id: 1, path: '/data', name: 'v1' }];
    const ports = [{ id: 1, container_port: 25, host_port: 2525 }];

    assert.match(String(refusalOf('volumes: [/data]\n', there({ scale: 2 }))), /a volume at \/data, .* not 2/);
    assert.match(String(refusalOf('scale: 3\n', there({}, { volumes }))), /a volume at \/data, .* not 3/);
    assert.match(String(refusalOf('scale: 3\n', there({}, { tcp_ports: ports }))), /TCP port 2525/);
    assert.match(String(refusalOf('volumes: [/data/in]\n', there({}, { volumes }))), /\/data\/in and \/data /);
    assert.match(String(refusalOf('port: null\ndomains: [a.example]\n', NOTHING)), /no port .* a\.example/);
    assert.equal(refusalOf('port: null\ndomains: [{host: a.example, port: 80}]\n', NOTHING), null);
    assert.equal(refusalOf('scale: 1\nvolumes: [/data]\n', there({ scale: 2 }, {})), null);
    const redirected = there({}, { domains: [{ ...DOMAIN, host: 'b.example', redirect_to: 'c.example' }] });
    const toRedirected = 'port: 80\ndomains: [{host: a.example, redirect_to: B.example}]\n';
    assert.match(String(refusalOf(toRedirected, redirected)), /a\.example .* b\.example, which is itself redirected/);
    const both = `${toRedirected.replace(']', ', {host: b.example, redirect_to: null}]')}`;
    assert.equal(refusalOf(both, redirected), null);
  });
});
