import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOpen, levelsIn, passes, queryOf, toggled } from './log-filter.ts';
import { fromLocalField, momentIn, periodIn, rightAfter, toLocalField } from './period.ts';

const OPEN = { q: null, replica: null, stream: null, deployment: null };
const LINE = { replica: '12-1', stream: 'stderr' as const, at: '2026-01-01T00:00:00Z', line: 'Time\u001b[1mout' };

describe('log filter', () => {
  it('sends only selected filters to the API', () => {
    assert.deepEqual(queryOf(OPEN, { since: null, until: null }), {});
    assert.deepEqual(queryOf({ ...OPEN, q: 'x', deployment: '3' }, { since: 'a', until: 'b' }), {
      q: 'x',
      deployment: '3',
      since: 'a',
      until: 'b',
    });
  });

  it('matches live lines by text, stream, replica and deployment', () => {
    assert.equal(passes(OPEN, LINE), true);
    assert.equal(passes({ ...OPEN, q: 'timeOUT' }, LINE), true);
    assert.equal(passes({ ...OPEN, q: 'other' }, LINE), false);
    assert.equal(passes({ ...OPEN, stream: 'stdout' }, LINE), false);
    assert.equal(passes({ ...OPEN, replica: '12-2' }, LINE), false);
    assert.equal(passes({ ...OPEN, deployment: '12' }, LINE), true);
    assert.equal(passes({ ...OPEN, deployment: '1' }, LINE), false);
    assert.deepEqual([isOpen(OPEN), isOpen({ ...OPEN, q: 'x' })], [true, false]);
  });

  it('reads selected levels from the URL and ignores unknown levels', () => {
    assert.deepEqual([...(levelsIn('error,nonsense,warn') ?? [])], ['error', 'warn']);
    assert.equal(levelsIn('nonsense'), null);
    assert.equal(toggled(null, 'error'), 'error');
    assert.equal(toggled(new Set(['error']), 'debug'), 'error,debug');
    assert.equal(toggled(new Set(['error']), 'error'), null);
  });
});

describe('log time filter', () => {
  it('accepts a duration or a timestamp and rejects other text', () => {
    assert.equal(momentIn('15m', Date.parse('2026-01-01T01:00:00Z')), '2026-01-01T00:45:00.000Z');
    assert.equal(momentIn('2026-01-01T00:00:00.123456789Z', 0), '2026-01-01T00:00:00.123456789Z');
    assert.deepEqual(
      [momentIn('soon', 0), momentIn('2026-99-99T00:00:00Z', 0), periodIn(null, 'x', 0)],
      [null, null, null],
    );
  });

  it('returns the nanosecond after a timestamp', () => {
    assert.equal(rightAfter('2026-01-01T00:00:00.123Z'), '2026-01-01T00:00:00.123000001Z');
    assert.equal(rightAfter('2026-01-01T00:00:59.999999999Z'), '2026-01-01T00:01:00.000000000Z');
    assert.equal(rightAfter('2026-01-01T00:00:00Z'), '2026-01-01T00:00:00.000000001Z');
  });

  it('converts timestamps to local input fields and back', () => {
    assert.equal(fromLocalField(toLocalField('2026-06-01T12:34:56.000Z')), '2026-06-01T12:34:56.000Z');
    assert.equal(fromLocalField(''), null);
  });
});
