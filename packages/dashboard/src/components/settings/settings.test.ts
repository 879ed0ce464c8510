import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstanceSettings, SettingsPatch } from '@davit/api';
import { SECTIONS } from './fields.ts';
import { changedFields, draftOf, effectsOf, patchOf, shown } from './values.ts';

const fields = SECTIONS.flatMap((section) => section.fields);
const usual = InstanceSettings.parse({});

function leaves(tree: object, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? leaves(value, `${prefix}${name}.`) : [`${prefix}${name}`],
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

  it('of a checkbox is true or false', () => {
    assert.deepEqual(changed({ 'images.forget_pulled': 'false' }).patch, { images: { forget_pulled: false } });
  });

  it('says what it does, of less only where something goes', () => {
    assert.match(changed({ 'logs.days': '7' }).effects.join(), /^Log lines: .*removed/);
    assert.deepEqual(changed({ 'logs.days': '60' }).effects, []);
    assert.match(changed({ domain: 'davit.example.com' }).effects.join(), /another host/);
  });
});
