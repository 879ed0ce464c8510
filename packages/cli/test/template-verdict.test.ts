/** Tests that `davit template check`, a catalog and an instance accept and refuse the same template files. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import { withDavit } from './support/davit.ts';

const FIXTURES = join(import.meta.dirname, '../../template/fixtures');
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** Maximum number of problems in the error of an instance. */
const SHOWN = 5;

const template = (app: string, databases = '', jobs = '') => `version: 1
minCubeship: ">=0.9.0"
minVersion: ">=0.1.0"
project: verdict
inputs: [{key: token, type: secret, label: Token, generate: 32}]
databases: [${databases}]
apps: [{key: web, ${app}}]
jobs: [${jobs}]
`;
const IMAGE = 'image: registry.test/web, tag: "1"';
const TOKEN = `\${input.token}`;
const job = (key: string, word: string) => `{key: ${key}, app: web, command: [run, "${word}"]}`;

/** Templates with the codes of their errors. */
const OWN: [what: string, text: string, errors: string[]][] = [
  ['an image with a tag', template(IMAGE), []],
  ['an image with a digest', template(`image: "registry.test/web@${DIGEST}"`), []],
  ['an image with a digest and a tag', template(`image: "registry.test:5000/web@${DIGEST}", tag: "1"`), []],
  ['a version of Redis that Davit builds', template(IMAGE, '{key: cache, engine: redis, version: "7.0"}'), []],
  ['an empty list of arguments', template(`${IMAGE}, args: []`), []],
  ['an image with half a digest', template('image: "registry.test/web@sha256:12"'), ['image.tagged']],
  ['an invalid image name', template('image: registry.test/Web'), ['instance.value']],
  ['a reserved image', template('image: davit/postgres'), ['instance.value']],
  ['a secret in a command', template(`${IMAGE}, args: ["${TOKEN}"]`), ['command.secret']],
  ['a secret in a job', template(IMAGE, '', job('migrate', TOKEN)), ['command.secret']],
  [
    'two own jobs',
    template(`${IMAGE}, depends_on: [a, b]`, '', `${job('a', 'x')}, ${job('b', 'x')}`),
    ['depends.own-jobs'],
  ],
  ['too many replicas', template(`${IMAGE}, scale: 101`), ['instance.value']],
  ['a reserved variable', template(`${IMAGE}, env: {DAVIT_TAG: x}`), ['instance.value']],
  ['a volume at /etc', template(`${IMAGE}, volumes: [{path: /etc}]`), ['instance.value']],
  [
    'a database with little memory',
    template(IMAGE, '{key: db, engine: postgres, limits: {memory: 8Mi}}'),
    ['instance.value'],
  ],
];

function fixturesIn(folder: 'codes' | 'compose' | 'published'): [name: string, text: string][] {
  const path = join(FIXTURES, folder);
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => name !== 'README.md');
  return entries.map((entry) => {
    const file = entry.isDirectory() ? join(entry.name, 'template.yaml') : entry.name;
    return [`${folder}/${entry.name}`, readFileSync(join(path, file), 'utf8')];
  });
}

interface Verdict {
  valid: boolean;
  problems: { severity: string; code: string; message: string }[];
}

const errorsOf = ({ problems }: Verdict) => problems.filter(({ severity }) => severity === 'error');

/** Returns a verdict in a form that can be compared. The check sorts the problems by line, the catalog does not. */
function sorted({ valid, problems }: Verdict): unknown {
  return { valid, problems: problems.map((problem) => JSON.stringify(Object.entries(problem).sort())).sort() };
}

describe('a template file', () => {
  const on = withDavit();
  let catalog: TestCatalog;
  before(async () => {
    catalog = await bootCatalog();
  });
  after(() => catalog[Symbol.asyncDispose]());

  async function checked(text: string): Promise<Verdict> {
    await on.davit.write('template.yaml', text);
    const { stdout } = await on.davit.run(['template', 'check', '--json', 'template.yaml']);
    return JSON.parse(stdout);
  }

  async function validated(text: string): Promise<Verdict> {
    const headers = { 'content-type': 'application/yaml' };
    const answer = await catalog.send({ method: 'POST', path: '/api/v1/validate', headers, body: text });
    return JSON.parse(answer.text);
  }

  /** Returns why the instance refuses the template, or `null`. Problems with the missing answers do not count. */
  async function refusal(text: string): Promise<string | null> {
    try {
      const body = { source: { file: text } };
      const plan = await on.daemon.client.installTemplateFile({ query: { dry_run: 'true' }, body });
      assert.ok('problems' in plan);
      const own = plan.problems.filter(({ field }) => /^(apps|databases|jobs)\./.test(field));
      if (plan.fits) assert.deepEqual(own, [], 'problems that the check has not found');
      return null;
    } catch (error) {
      assert.ok(error instanceof DavitError && error.code === 'template_invalid', String(error));
      return error.message;
    }
  }

  async function assertAlike(text: string): Promise<Verdict> {
    const [check, validation, refused] = [await checked(text), await validated(text), await refusal(text)];
    assert.deepEqual(sorted(validation), sorted(check));
    assert.equal(refused === null, check.valid, refused ?? 'the instance accepts the template');
    for (const { message } of errorsOf(validation).slice(0, SHOWN))
      assert.ok(refused?.includes(message), `${message} is missing in: ${refused}`);
    return check;
  }

  for (const [what, text, errors] of OWN) {
    it(`with ${what} gets the same verdict from the check, a catalog and an instance`, async () => {
      const check = await assertAlike(text);
      assert.deepEqual([check.valid, errorsOf(check).map(({ code }) => code)], [errors.length === 0, errors]);
    });
  }

  for (const folder of ['codes', 'compose', 'published'] as const) {
    it(`of the fixtures ${folder} gets the same verdict from the check, a catalog and an instance`, async () => {
      for (const [name, text] of fixturesIn(folder))
        await assertAlike(text).catch((cause) => assert.fail(`${name}: ${cause}`));
    });
  }
});
