import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generalOf, generalPatch, limitsOf, memoryProblem } from './general-draft.ts';

const KNOWN = { description: 'orders', limits: { cpu: 0.5, memory_bytes: 512 * 1024 ** 2 } };

describe('what databases and object stores have in common', () => {
  it('is shown as people write it', () => {
    assert.deepEqual(generalOf(KNOWN), { description: 'orders', cpu: '0.5', memory: '512 MiB' });
    const none = { description: '', cpu: '', memory: '' };
    assert.deepEqual(generalOf({ description: null, limits: { cpu: null, memory_bytes: null } }), none);
    assert.deepEqual(generalOf({ description: '', limits: null }), none);
  });

  it('is sent where it is changed alone', () => {
    assert.equal(generalPatch(KNOWN, {}), null);
    assert.equal(generalPatch(KNOWN, { cpu: '0.5', description: 'orders ' }), null);
    assert.deepEqual(generalPatch(KNOWN, { cpu: '2' }), { limits: { cpu: 2 } });
    assert.deepEqual(generalPatch(KNOWN, { memory: '' }), { limits: { memory_bytes: null } });
    assert.deepEqual(generalPatch(KNOWN, { description: ' ' }), { description: '' });
  });

  it('is not sent where it cannot be read', () => {
    assert.equal(memoryProblem('1 GiB'), null);
    assert.equal(memoryProblem(''), null);
    assert.match(memoryProblem('much') ?? '', /512 MiB/);
  });

  it('has no limit where none is typed', () => {
    assert.deepEqual(limitsOf({ cpu: ' ', memory: '' }), { cpu: null, memory_bytes: null });
    assert.deepEqual(limitsOf({ cpu: '1.5', memory: '1g' }), { cpu: 1.5, memory_bytes: 1024 ** 3 });
  });

  it('has limits that are no numbers judged by the instance', () => {
    assert.equal(limitsOf({ cpu: 'two', memory: '' }).cpu, 'two');
  });
});
