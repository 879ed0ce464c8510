import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment, DeploymentEvent } from '@davit/api';
import { patched } from './patch.ts';

const AT = '2026-01-01T00:00:10.000Z';

const pending = {
  id: 7,
  status: 'pending',
  phase: null,
  steps: [],
  error: null,
  started_at: null,
  finished_at: null,
  duration_ms: null,
} as unknown as Deployment;

function event(more: Partial<DeploymentEvent>): DeploymentEvent {
  return { seq: 1, at: AT, app: 'a/b/c', id: 7, status: 'running', phase: null, step: null, error: null, ...more };
}

const step = (name: string, state: 'started' | 'finished' | 'failed') => event({ step: { name, state } });

describe('deployment event', () => {
  it('starts, advances and ends the deployment', () => {
    const events = [
      event({ phase: 'resolving' }),
      step('pull', 'started'),
      step('pull', 'finished'),
      event({ phase: 'switching' }),
      event({ at: '2026-01-01T00:00:12.500Z', status: 'succeeded' }),
    ];
    const after = events.map(
      (
        (deployment) => (nextEvent: DeploymentEvent) =>
          (deployment = patched(deployment, nextEvent))
      )(pending),
    );
    assert.deepEqual(
      after.map(({ status, phase }) => `${status} ${phase}`),
      ['running resolving', 'running resolving', 'running resolving', 'running switching', 'succeeded null'],
    );
    assert.deepEqual(after[1]?.steps, [{ name: 'pull', started_at: AT, finished_at: null, error: null }]);
    assert.equal(after[2]?.steps[0]?.finished_at, AT);
    assert.deepEqual([after[4]?.started_at, after[4]?.duration_ms], [AT, 2_500]);
  });

  it('returns the same object for an already known or late event', () => {
    const running = patched(patched(pending, step('pull', 'started')), event({ phase: 'switching' }));
    for (const late of [step('pull', 'started'), event({ phase: 'pulling' }), event({ status: 'pending' })]) {
      assert.equal(patched(running, late), running);
    }
    const over = patched(running, event({ status: 'failed', error: 'no room' }));
    assert.equal(over.error, 'no room');
    for (const late of [step('start', 'started'), event({ status: 'succeeded' })])
      assert.equal(patched(over, late), over);
  });

  it('changes nothing if the event belongs to another deployment', () => {
    assert.equal(patched(pending, event({ id: 8, status: 'failed' })), pending);
  });

  it('leaves the deployment unchanged after a failed step', () => {
    const running = patched(pending, step('check', 'started'));
    assert.equal(patched(running, step('check', 'failed')), running);
  });
});
