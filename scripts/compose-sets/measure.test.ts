/** The independent check of imported Compose files: it accepts correct templates, and finds each kind of difference. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { interpolated, mappingOf, readRoot, readServices } from './compose.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { measure, withoutNames } from './measure.ts';
import { keyRows, setsPage } from './page.ts';
import { partsOf } from './parts.ts';

const FIXTURES = join(import.meta.dirname, '../../packages/template/fixtures');
const PAGE = join(import.meta.dirname, '../../docs/reference/compose-sets.md');
const GOAL = 0.95;

/** Returns the text files beside a Compose file. */
function beside(folder: string): Record<string, string> {
  const paths = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), readFileSync(path, 'utf8')];
    }),
  );
}

describe('the Compose fixtures', () => {
  const folders = globSync('{compose,stacks}/*/compose.yaml', { cwd: FIXTURES }).map((path) =>
    join(FIXTURES, path, '..'),
  );
  const measured = folders.map((folder) => measure(readFileSync(join(folder, 'compose.yaml'), 'utf8'), beside(folder)));

  test('are converted correctly in at least 95 % of the keys with an equivalent', () => {
    const rows = keyRows(measured);
    const sum = (of: 'correct' | 'all') => rows.reduce((total, row) => total + row[of], 0);
    assert.ok(measured.length >= 18 && sum('all') > 150, `${measured.length} files with ${sum('all')} keys`);
    const differences = measured.flatMap((one) => one.differences);
    assert.ok(sum('correct') / sum('all') >= GOAL, JSON.stringify(differences, null, 2));
  });

  test('have no difference without a note', () => {
    const silent = measured.flatMap(({ differences }) => differences.filter(({ isStated }) => !isStated));
    assert.deepEqual(silent, []);
  });

  test('are refused only with a reason', () => {
    for (const { outcome, reasons } of measured) assert.ok(outcome === 'whole' || reasons.length > 0);
    const { outcome, reasons } = measure('services: { web: {} }');
    assert.deepEqual([outcome, reasons], ['refused', ['The service has neither an image nor a build.']]);
  });
});

/** For each key: a service, a correct part of the template, and the same part with a mistake. */
const CASES: Record<string, [service: string, correct: string, wrong: string]> = {
  image: ['image: "a/web:1.2"', 'image: a/web, tag: "1.2"', 'image: a/web, tag: "1.3"'],
  entrypoint: [
    'image: web, entrypoint: /start "a b"',
    'image: web, command: [/start, a b]',
    'image: web, command: [/start, a, b]',
  ],
  command: ['image: web, command: [a, ""]', 'image: web, args: [a, ""]', 'image: web, args: [a]'],
  environment: [
    'image: web, environment: { A: "1", B: "${X:-y}" }',
    'image: web, env: { A: "1", B: "y" }',
    'image: web, env: { A: "1", B: "z" }',
  ],
  env_file: ['image: web, env_file: web.env', 'image: web, env: { FROM_FILE: "1" }', 'image: web, env: {}'],
  ports: [
    'image: web, ports: ["80:3000", "22:22"]',
    'image: web, port: 3000, tcp: [{ port: 22 }]',
    'image: web, port: 3000',
  ],
  expose: ['image: web, expose: ["3000"]', 'image: web, port: 3000', 'image: web, port: 3001'],
  labels: [
    'image: web, labels: ["traefik.http.services.a.loadbalancer.server.port=3000"]',
    'image: web, port: 3000',
    'image: web, port: 80',
  ],
  volumes: [
    'image: web, volumes: ["data:/data/", "./site.conf:/etc/site.conf:ro", "/srv:/srv"]',
    'image: web, volumes: [{ path: /data }], files: [{ path: /etc/site.conf }]',
    'image: web, volumes: [{ path: /data }]',
  ],
  configs: [
    'image: web, configs: [{ source: c, target: /etc/c }]',
    'image: web, files: [{ path: /etc/c }]',
    'image: web, files: [{ path: /c }]',
  ],
  secrets: ['image: web, secrets: [s]', 'image: web, files: [{ path: /run/secrets/s }]', 'image: web'],
  depends_on: ['image: web, depends_on: [other]', 'image: web, depends_on: [other]', 'image: web'],
  healthcheck: [
    'image: web, healthcheck: { test: curl -f localhost:3000/ok }',
    'image: web, port: 3000, health: /ok',
    'image: web, port: 3000',
  ],
  'deploy.replicas': ['image: web, deploy: { replicas: 3 }', 'image: web, scale: 3', 'image: web'],
  scale: ['image: web, scale: 3', 'image: web, scale: 3', 'image: web, scale: 2'],
  'deploy.resources.limits.cpus': [
    'image: web, deploy: { resources: { limits: { cpus: "0.5" } } }',
    'image: web, limits: { cpu: 0.5 }',
    'image: web',
  ],
  'deploy.resources.limits.memory': [
    'image: web, deploy: { resources: { limits: { memory: 512M } } }',
    'image: web, limits: { memory: 512Mi }',
    'image: web, limits: { memory: 1Gi }',
  ],
  cpus: ['image: web, cpus: 2', 'image: web, limits: { cpu: 2 }', 'image: web, limits: { cpu: 1 }'],
  mem_limit: [
    'image: web, mem_limit: 1g',
    'image: web, limits: { memory: 1Gi }',
    'image: web, limits: { memory: 1Mi }',
  ],
};

/** Keys that a template always has, or never. */
const WITHOUT_CASE = ['restart', 'init', 'container_name', 'hostname', 'links'];
const NEVER = ['pull_policy', 'stop_grace_period', 'stop_signal', 'pids_limit'];

/** Checks one key of the service `it` against an app of a template. */
function verdict(key: string, service: string, app: string) {
  const root = readRoot(
    `services: { it: { ${service} }, other: { image: other } }\nconfigs: { c: { content: x } }\nsecrets: { s: { file: x } }`,
  );
  const services = readServices(JSON.stringify(root)) ?? [];
  const template = mappingOf(parse(`apps: [{ key: it, ${app} }, { key: other, image: other }]`));
  const parts = partsOf(root, services, template, { 'web.env': 'FROM_FILE=1\n', 'site.conf': 'x' });
  const part = [...parts.values()].find((one) => one.service.name === 'it');
  assert.ok(part);
  let value: unknown = part.service.values;
  for (const step of key.split('.')) value = mappingOf(value)[step];
  return EQUIVALENTS[key]?.check(part, value);
}

describe('the check of a key', () => {
  for (const [key, [service, correct, wrong]] of Object.entries(CASES))
    test(`accepts a correct template and finds a wrong template: ${key}`, () => {
      assert.equal(verdict(key, service, correct), 'correct');
      assert.equal(typeof verdict(key, service, wrong), 'object');
    });

  test('exists for each key with an equivalent', () => {
    assert.deepEqual(Object.keys(EQUIVALENTS).sort(), [...Object.keys(CASES), ...WITHOUT_CASE, ...NEVER].sort());
  });

  test('does not count values without an equivalent', () => {
    assert.equal(verdict('ports', 'image: web, ports: ["53:53/udp"]', 'image: web'), 'none');
    assert.equal(verdict('volumes', 'image: web, volumes: ["/srv:/srv"]', 'image: web'), 'none');
    assert.equal(verdict('healthcheck', 'image: web, healthcheck: { test: pg_isready }', 'image: web'), 'none');
    assert.equal(verdict('environment', 'image: web, environment: { a-b: "1" }', 'image: web'), 'none');
  });
});

describe('the check of an address', () => {
  const FILE = `services:
  web: { image: web, depends_on: [db], environment: { URL: "postgres://u:p@db:5432/n", API: "http://alias:80/" } }
  api: { image: api, container_name: alias }
  db: { image: "postgres:17", environment: { POSTGRES_PASSWORD: p, POSTGRES_DB: n } }`;

  /** Replaces a text in the template of the file, and returns the differences in the environment of `web`. */
  const differences = (api: string, url: string) => {
    const template = mappingOf(
      parse(`databases: [{ key: db, engine: postgres, version: "17", database: n }]
apps: [{ key: web, image: web, env: { URL: "${url}", API: "${api}" } }, { key: api, image: api }]`),
    );
    const parts = partsOf(readRoot(FILE), readServices(FILE) ?? [], template);
    const part = [...parts.values()].find(({ service }) => service.name === 'web');
    return part && EQUIVALENTS.environment?.check(part, part.service.values.environment);
  };
  const URL = 'postgres://${db.db.user}:${db.db.password}@${db.db.host}:${db.db.port}/${db.db.name}';

  test('accepts references to the right service', () => {
    assert.equal(differences('http://${app.api.internal}:80/', URL), 'correct');
  });

  test('finds a wrong service, a lost path and another name that no environment has', () => {
    assert.equal(typeof differences('http://${app.web.internal}:80/', URL), 'object');
    assert.equal(typeof differences('http://${app.api.internal}:80/', URL.replace('/${db.db.name}', '')), 'object');
    assert.equal(typeof differences('http://alias:80/', URL), 'object');
  });
});

test('variables of Compose get their default, also in a default', () => {
  assert.equal(interpolated('$$a ${B:-c} ${D-${E:-f}} ${G:+h} ${I:?no}$'), '$a c f  \ue010I\ue010$');
});

test('a reason contains no names, numbers and paths', () => {
  assert.equal(withoutNames('“x” uses port 80 at /etc/x.conf.'), '“…” uses port N at ….');
});

test('the committed page lists every key, and has no wrong conversion that the report does not mention', () => {
  const page = readFileSync(PAGE, 'utf8');
  const missing = Object.keys(EQUIVALENTS).filter((key) => !page.includes(`\n| \`${key}\` |`));
  assert.deepEqual(missing, []);
  assert.match(page, /Number of wrong conversions that the report of the import does not mention: 0\./);
  const [head = ''] = setsPage(new Map()).split('\n## Files');
  assert.ok(page.startsWith(head), 'run “node scripts/compose-sets.ts <folder>” again');
});
