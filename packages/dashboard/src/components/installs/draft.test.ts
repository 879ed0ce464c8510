import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError, invalidField } from '@davit/api';
import type { Input, Manifest } from '../templates/manifest.ts';
import { bodyOf, carriedOver, emptyDraft, inputsShown, problemsIn, problemsOutside, suggested } from './draft.ts';

const input = (key: string, more: Partial<Input> = {}): Input => ({
  ...{ key, type: 'text', label: key, required: true },
  ...more,
});

const manifest = (...inputs: Input[]): Manifest => ({
  ...{ schema_version: 1, min_cubeship: null, project: 'shop', environment: 'production' },
  ...{ inputs, databases: [], stores: [], apps: [] },
});

const TEMPLATE = manifest(
  input('domain', { type: 'domain' }),
  input('size', { type: 'number', default: 1e21 }),
  input('secret', { type: 'secret', generate: 32 }),
);

describe('installation draft', () => {
  it('starts with the template’s defaults and writes numbers without exponents', () => {
    assert.deepEqual(emptyDraft(TEMPLATE).inputs, { domain: '', size: '1000000000000000000000', secret: '' });
    assert.equal(suggested(input('a', { default: 0.5 })), '0.5');
    assert.equal(emptyDraft(TEMPLATE, { project: 'blog', environment: null }).project, 'blog');
  });

  it('sends only answered inputs and omits unchanged defaults and generated secrets', () => {
    const draft = emptyDraft(TEMPLATE);
    const answered = { ...draft, inputs: { ...draft.inputs, domain: 'a.example.com' } };
    assert.deepEqual(bodyOf(answered, TEMPLATE).inputs, { domain: 'a.example.com' });
    const own = { ...answered, inputs: { ...answered.inputs, secret: 'mine', size: '' } };
    assert.deepEqual(bodyOf(own, TEMPLATE).inputs, { domain: 'a.example.com', size: '', secret: 'mine' });
  });

  it('sends only non-empty names and databases for adoption', () => {
    const draft = { ...emptyDraft(TEMPLATE), adopt: { db: 'shop/production/db', other: '' } };
    draft.names.apps = { web: 'site', api: '' };
    const { names, adopt } = bodyOf(draft, TEMPLATE);
    assert.deepEqual([names?.apps, adopt?.databases], [{ web: 'site' }, { db: 'shop/production/db' }]);
  });

  it('keeps entered values after a switch to another release', () => {
    const draft = emptyDraft(TEMPLATE);
    const other = manifest(input('domain', { type: 'domain' }), input('mail'));
    const carried = carriedOver({ ...draft, inputs: { ...draft.inputs, domain: 'a.example.com' } }, other);
    assert.deepEqual(carried.inputs, { domain: 'a.example.com', mail: '' });
  });
});

describe('installation problems', () => {
  const when = { input: 'mail', equals: 'smtp' };
  const app = { env_when: [{ when, env: { HOST: '${input.'.concat('host}') } }] };
  const mailed = {
    ...manifest(input('mail'), input('host')),
    apps: [{ domains: [], attach: [], volumes: [], tcp: [], ...app }] as unknown as Manifest['apps'],
  };

  it('shows a hidden input field if a problem refers to the input', () => {
    assert.deepEqual(
      inputsShown(mailed, { mail: 'none' }, []).map(({ key }) => key),
      ['mail'],
    );
    const problems = [{ field: 'inputs.host', code: 'required' as const, message: '“host” is required.' }];
    assert.deepEqual(
      inputsShown(mailed, { mail: 'none' }, problems).map(({ key }) => key),
      ['mail', 'host'],
    );
  });

  it('shows problems without a visible field beside the form', () => {
    const problems = [
      { field: 'inputs.domain', message: 'a' },
      { field: 'inputs', message: 'b' },
      { field: '', message: 'c' },
    ].map((problem) => ({ ...problem, code: 'invalid' as const }));
    assert.deepEqual(
      problemsOutside(problems, ['inputs.domain']).map(({ message }) => message),
      ['b', 'c'],
    );
  });

  it('assigns an API error to the field named in the error', () => {
    const error = invalidField('project', 'too_large', 'must be short.');
    assert.deepEqual(problemsIn(error, ['project']), [
      { field: 'project', code: 'too_large', message: 'must be short.' },
    ]);
    assert.deepEqual(problemsIn(error, []), [{ field: '', code: 'too_large', message: 'project: must be short.' }]);
    const away = new DavitError('catalog_unavailable', 'The catalog is away.');
    assert.deepEqual(problemsIn(away, ['project']), [{ field: '', code: 'invalid', message: 'The catalog is away.' }]);
  });
});
