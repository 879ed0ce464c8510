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

it('provides a field with the default for every instance setting', () => {
  assert.deepEqual(fields.map(({ path }) => path).toSorted(), leaves(usual).toSorted());
  for (const field of fields) assert.equal(field.usual, shown(field, usual), field.path);
});

describe('settings change', () => {
  it('sends only changed settings in API units', () => {
    const { patch } = changed({ 'logs.bytes_per_app': '512', 'logs.days': '14', domain: ' davit.example.com ' });
    assert.deepEqual(patch, { domain: 'davit.example.com', logs: { bytes_per_app: 512 * 1024 * 1024, days: 14 } });
    assert.ok(SettingsPatch.safeParse(patch).success);
  });

  it('sends nothing if the value equals the default or stays empty', () => {
    assert.deepEqual(changed({ 'audit.days': '400', 'registry.time_zone': '' }).patch, {});
  });

  it('resets a setting to the default if the field is emptied', () => {
    const settings = InstanceSettings.parse({ audit: { days: 30 }, domain: 'davit.example.com' });
    const before = draftOf(fields, settings);
    const now = { ...before, 'audit.days': '', domain: '' };
    assert.deepEqual(patchOf(changedFields(fields, before, now), now), { audit: { days: null }, domain: null });
  });

  it('sends an invalid value unchanged to the instance', () => {
    assert.deepEqual(changed({ 'logs.days': 'ten' }).patch, { logs: { days: 'ten' } });
  });

  it('sends a list setting with an entry per line', () => {
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

  it('sends nothing for a list with unchanged entries', () => {
    const host_access = [{ address: '2001:db8::1', port: 53, protocol: 'udp' as const }];
    const before = draftOf(fields, InstanceSettings.parse({ host_access }));
    assert.equal(before.host_access, '[2001:db8::1]:53/udp');
    assert.deepEqual(changedFields(fields, before, { ...before }), []);
  });

  it('reports a refused list entry with the line number', () => {
    assert.equal(wordsOfLine('.1.port', 'must be at most 65535.'), 'Line 2: port must be at most 65535.');
    assert.equal(wordsOfLine('.0', 'must be an address.'), 'Line 1: must be an address.');
  });

  it('sends a checkbox setting as a boolean', () => {
    assert.deepEqual(changed({ 'images.forget_pulled': 'false' }).patch, { images: { forget_pulled: false } });
  });

  it('describes effects and warns about deletions only for a shorter retention', () => {
    assert.match(changed({ 'logs.days': '7' }).effects.join(), /^Log lines: .*deletes/);
    assert.deepEqual(changed({ 'logs.days': '60' }).effects, []);
    assert.match(changed({ domain: 'davit.example.com' }).effects.join(), /new default domains/);
  });
});
