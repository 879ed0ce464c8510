import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generalOf, generalPatch, limitsOf, memoryProblem } from './general-draft.ts';

const KNOWN = { description: 'orders', limits: { cpu: 0.5, memory_bytes: 512 * 1024 ** 2 } };

describe('general settings of databases and object stores', () => {
  it('shows limits with units and empty fields without limits', () => {
    assert.deepEqual(generalOf(KNOWN), { description: 'orders', cpu: '0.5', memory: '512 MiB' });
    const none = { description: '', cpu: '', memory: '' };
    assert.deepEqual(generalOf({ description: null, limits: { cpu: null, memory_bytes: null } }), none);
    assert.deepEqual(generalOf({ description: '', limits: null }), none);
  });

  it('sends only changed fields in an update', () => {
    assert.equal(generalPatch(KNOWN, {}), null);
    assert.equal(generalPatch(KNOWN, { cpu: '0.5', description: 'orders ' }), null);
    assert.deepEqual(generalPatch(KNOWN, { cpu: '2' }), { limits: { cpu: 2 } });
    assert.deepEqual(generalPatch(KNOWN, { memory: '' }), { limits: { memory_bytes: null } });
    assert.deepEqual(generalPatch(KNOWN, { description: ' ' }), { description: '' });
  });

  it('reports a memory limit with an invalid format', () => {
    assert.equal(memoryProblem('1 GiB'), null);
    assert.equal(memoryProblem(''), null);
    assert.match(memoryProblem('much') ?? '', /512 MiB/);
  });

  it('sends null for empty limits and numbers for valid limits', () => {
    assert.deepEqual(limitsOf({ cpu: ' ', memory: '' }), { cpu: null, memory_bytes: null });
    assert.deepEqual(limitsOf({ cpu: '1.5', memory: '1g' }), { cpu: 1.5, memory_bytes: 1024 ** 3 });
  });

  it('sends a non-numeric CPU limit unchanged', () => {
    assert.equal(limitsOf({ cpu: 'two', memory: '' }).cpu, 'two');
  });
});
