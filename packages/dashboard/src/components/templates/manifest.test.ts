import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conditionWords, holds, type Input, type Manifest, type ManifestApp, neededInputs } from './manifest.ts';

const ref = (key: string) => '${input.'.concat(key, '}');
const input = (key: string, more: Partial<Input> = {}): Input => ({
  ...{ key, type: 'text', label: key, required: true },
  ...more,
});

const app = (more: Partial<ManifestApp>): ManifestApp => ({
  ...{ key: 'web', name: 'web', source: { type: 'image', image: 'acme/web', tag: '1' }, port: 80, health: null },
  ...{ domains: [], attach: [], env: {}, limits: null, scale: null, spread: false, autoscale: null, volumes: [] },
  ...{ tcp: [], internal_host: 'web.production.shop.internal' },
  ...more,
});

const manifest = (inputs: Input[], apps: ManifestApp[]): Manifest => ({
  ...{ schema_version: 1, min_cubeship: null, project: 'shop', environment: 'production' },
  ...{ inputs, databases: [], stores: [], apps },
});

describe('manifest condition', () => {
  it('matches an equal, a different or any non-empty answer', () => {
    assert.ok(holds(undefined, {}));
    assert.deepEqual(
      ['smtp', 'none', ''].map((mail) => holds({ input: 'mail', equals: 'smtp' }, { mail })),
      [true, false, false],
    );
    assert.deepEqual(
      ['smtp', 'none', ''].map((mail) => holds({ input: 'mail', not: 'none' }, { mail })),
      [true, false, true],
    );
    assert.deepEqual(
      ['smtp', ''].map((mail) => holds({ input: 'mail' }, { mail })),
      [true, false],
    );
  });

  it('describes the condition with the label of the input', () => {
    const of = { inputs: [input('mail', { label: 'Mail' })] };
    assert.equal(conditionWords(of, { input: 'mail', not: 'none' }), 'only when “Mail” is not “none”');
    assert.equal(conditionWords(of, undefined), '');
  });
});

describe('neededInputs', () => {
  const inputs = [input('mail', { type: 'choice', options: ['smtp', 'none'] }), input('host'), input('note')];
  const mailed = manifest(inputs, [
    app({ env_when: [{ when: { input: 'mail', equals: 'smtp' }, env: { SMTP_HOST: ref('host') } }] }),
  ]);

  it('includes an input only while the referencing condition holds', () => {
    assert.deepEqual([...neededInputs(mailed, { mail: 'smtp' })], ['mail', 'host', 'note']);
    assert.deepEqual([...neededInputs(mailed, { mail: 'none' })], ['mail', 'note']);
  });

  it('omits inputs of an excluded app, but keeps the deciding input', () => {
    const when = { input: 'mail', equals: 'smtp' };
    const both = manifest(inputs, [app({}), app({ key: 'relay', when, env: { HOST: ref('host') } })]);
    assert.deepEqual([...neededInputs(both, {})], ['mail', 'note']);
    const twice = manifest(inputs, [app({ env: { HOST: ref('host') } }), app({ when, env: { HOST: ref('host') } })]);
    assert.ok(neededInputs(twice, {}).has('host'), 'one of two needs it');
  });

  it('includes the store input of an attached object store', () => {
    const attach = [{ kind: 'store' as const, key: 'files', bucket: null, prefix: '' }];
    const stored = manifest([input('files', { type: 'store' })], [app({ attach })]);
    assert.ok(neededInputs(stored, {}).has('files'));
  });
});
