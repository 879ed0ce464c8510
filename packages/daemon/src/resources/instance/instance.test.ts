import assert from 'node:assert/strict';
import test from 'node:test';
import { AppSpec, Instance, Slug } from '@davit/api';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { readInstance } from './instance.ts';

test('readInstance returns the engine, id, domain and registry port', () => {
  using harness = new CoreHarness();
  harness.sight = { ...harness.sight, available: false };

  const instance = Instance.parse(readInstance(harness.core, harness.as('viewer')));

  assert.deepEqual(instance.engine, { kind: 'memory', version: '1', simulated: true, available: false });
  assert.deepEqual([instance.id, instance.domain, instance.ports.registry], ['testtest', 'davit.test', 5000]);
});

test('readInstance returns the limits that validation enforces', () => {
  using harness = new CoreHarness();
  const { limits } = readInstance(harness.core, harness.admin);
  const scale = (n: number) => AppSpec.safeParse({ source: 'registry', scale: n }).success;
  const slug = (length: number) => Slug.safeParse('a'.repeat(length)).success;

  assert.deepEqual([scale(limits.scale), scale(limits.scale + 1)], [true, false]);
  assert.deepEqual([slug(limits.slug_length), slug(limits.slug_length + 1)], [true, false]);
  assert.deepEqual([limits.pull_s, limits.release_command_s], [900, 600]);
});
