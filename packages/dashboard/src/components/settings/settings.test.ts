import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstanceSettings, SettingsPatch } from '@davit/api';
import { SECTIONS } from './fields.ts';
import { wordsOfLine } from './lists.ts';
import { changedFields, draftOf, effectsOf, patchOf, shown } from './values.ts';

const fields = SECTIONS.flatMap((section) => section.fields);
const usual = InstanceSettings.parse({});

function leaves(tree: object, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value, `${prefix}${name}.`)
      : [`${prefix}${name}`],
  );
}

function changed(values: Record<string, string>) {
  const before = draftOf(fields, usual);
  const now = { ...before, ...values };
  const all = changedFields(fields, before, now);
  return { patch: patchOf(all, now), effects: effectsOf(all, before, now) };
}

it('every setting of the contract has a field, with its default', () => {
  assert.deepEqual(fields.map(({ path }) => path).toSorted(), leaves(usual).toSorted());
  for (const field of fields) assert.equal(field.usual, shown(field, usual), field.path);
});

describe('a change', () => {
  it('is a patch of what is changed, in the units of the API', () => {
    const { patch } = changed({ 'logs.bytes_per_app': '512', 'logs.days': '14', domain: ' davit.example.com ' });
    assert.deepEqual(patch, { domain: 'davit.example.com', logs: { bytes_per_app: 512 * 1024 * 1024, days: 14 } });
    assert.ok(SettingsPatch.safeParse(patch).success);
  });

  it('is none where the default is typed, or the field with it emptied', () => {
    assert.deepEqual(changed({ 'audit.days': '400', 'registry.time_zone': '' }).patch, {});
  });

  it('goes back to the default with an empty field', () => {
    const settings = InstanceSettings.parse({ audit: { days: 30 }, domain: 'davit.example.com' });
    const before = draftOf(fields, settings);
    const now = { ...before, 'audit.days': '', domain: '' };
    assert.deepEqual(patchOf(changedFields(fields, before, now), now), { audit: { days: null }, domain: null });
  });

  it('sends what makes no sense as it is, so that the instance says why', () => {
    assert.deepEqual(changed({ 'logs.days': 'ten' }).patch, { logs: { days: 'ten' } });
  });

  it('of a list is one entry per line', () => {
    const { patch } = changed({
      'trusted_proxies.forwarded_for': '10.0.0.0/8\n\n 2001:db8::1 \n',
      'registries.private_hosts': 'http://registry.internal:5000',
      host_access: '10.0.0.5:5432\n[2001:db8::1]:53/UDP\nnothing',
    });
    assert.deepEqual(patch, {
      trusted_proxies: { forwarded_for: ['10.0.0.0/8', '2001:db8::1'] },
      registries: { private_hosts: ['http://registry.internal:5000'] },
      host_access: [
        { address: '10.0.0.5', port: 5432, protocol: 'tcp' },
        { address: '2001:db8::1', port: 53, protocol: 'udp' },
        'nothing',
      ],
    });
  });

  it('of a list is none where the same entries are typed as they are shown', () => {
    const host_access = [{ address: '2001:db8::1', port: 53, protocol: 'udp' as const }];
    const before = draftOf(fields, InstanceSettings.parse({ host_access }));
    assert.equal(before.host_access, '[2001:db8::1]:53/udp');
    assert.deepEqual(changedFields(fields, before, { ...before }), []);
  });

  it('that is refused is told of at its line', () => {
    assert.equal(wordsOfLine('.1.port', 'must be at most 65535.'), 'Line 2: port must be at most 65535.');
    assert.equal(wordsOfLine('.0', 'must be an address.'), 'Line 1: must be an address.');
  });

  it('of a checkbox is true or false', () => {
    assert.deepEqual(changed({ 'images.forget_pulled': 'false' }).patch, { images: { forget_pulled: false } });
  });

  it('says what it does, of less only where something goes', () => {
    assert.match(changed({ 'logs.days': '7' }).effects.join(), /^Log lines: .*deletes/);
    assert.deepEqual(changed({ 'logs.days': '60' }).effects, []);
    assert.match(changed({ domain: 'davit.example.com' }).effects.join(), /new default domains/);
  });
});
