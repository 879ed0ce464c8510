import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEPLOYMENT_STEPS, type DeploymentEvent, deploymentStepWords, taskStepWords } from '@davit/api';
import { duration } from '../output/duration.ts';
import { STEP_WIDTH, stepLine } from './show-steps.ts';
import { NO_STEPS, stepsOf, withEvent } from './steps.ts';

const AT = Date.parse('2030-01-01T00:00:00Z');

function eventOf(seq: number, more: Partial<DeploymentEvent>): DeploymentEvent {
  const at = new Date(AT + seq * 100).toISOString();
  return { seq, at, app: 'a/b/c', id: 1, status: 'running', phase: null, step: null, error: null, ...more };
}

describe('steps of a deployment', () => {
  it('start and end with a duration from the instance clock', () => {
    const started = withEvent(NO_STEPS, eventOf(1, { step: { name: 'pull', state: 'started' } }));
    const finished = withEvent(started, eventOf(4, { step: { name: 'pull', state: 'finished' } }));

    assert.deepEqual(started.list[0], { name: 'pull', state: 'running', tookMs: null, startedAt: AT + 100 });
    assert.deepEqual([finished.list[0]?.state, finished.list[0]?.tookMs, finished.position], ['done', 300, 4]);
  });

  it('ignore events that were already processed', () => {
    const started = withEvent(NO_STEPS, eventOf(2, { step: { name: 'pull', state: 'started' } }));

    assert.equal(withEvent(started, eventOf(2, { step: { name: 'pull', state: 'started' } })), started);
    assert.equal(withEvent(started, eventOf(1, { step: { name: 'hold', state: 'started' } })), started);
  });

  it('fail if the deployment ends during the step', () => {
    const started = withEvent(NO_STEPS, eventOf(1, { step: { name: 'check', state: 'started' } }));
    const ended = withEvent(started, eventOf(3, { status: 'cancelled' }));

    assert.deepEqual([ended.list[0]?.state, ended.list[0]?.tookMs], ['failed', 200]);
  });

  it('start again if a restarted instance repeats the step', () => {
    const first = withEvent(NO_STEPS, eventOf(1, { step: { name: 'check', state: 'started' } }));
    const again = withEvent(first, eventOf(9, { step: { name: 'check', state: 'started' } }));

    assert.deepEqual(
      again.list.map(({ name, startedAt }) => [name, startedAt]),
      [['check', AT + 900]],
    );
  });

  it('are read from the record of a deployment without events', () => {
    const at = (ms: number) => new Date(AT + ms).toISOString();
    const steps = stepsOf(
      {
        steps: [
          { name: 'pull', started_at: at(0), finished_at: at(1_500), error: null },
          { name: 'check', started_at: at(1_500), finished_at: at(2_000), error: 'it is not well' },
        ],
      },
      7,
    );

    assert.deepEqual(
      steps.list.map(({ name, state, tookMs }) => [name, state, tookMs]),
      [
        ['pull', 'done', 1_500],
        ['check', 'failed', 500],
      ],
    );
    assert.equal(steps.position, 7);
  });

  it('are shown with a mark and with escaped control characters', () => {
    const plain = (text: string) => text;
    assert.equal(
      stepLine({ state: 'done', tookMs: 1_240 }, 'Pull the image', plain),
      `  ✓ ${'Pull the image'.padEnd(STEP_WIDTH)} 1.2 s`,
    );
    assert.equal(
      stepLine({ state: 'running', tookMs: null }, 'a\u001b[2J', plain, '*', 61_000),
      `  * ${'a␛[2J'.padEnd(STEP_WIDTH)} 1 min 01 s`,
    );
  });
});

it('descriptions of steps fit into the column before the durations', () => {
  const ofTasks = ['compare', 'deploy', 'keep', 'wait', 'remove'].map(taskStepWords('database.rotate'));
  for (const says of [...DEPLOYMENT_STEPS.map(deploymentStepWords), ...ofTasks])
    assert.ok(says.length <= STEP_WIDTH, says);
});

describe('duration', () => {
  for (const [ms, words] of [
    [-5, '0.0 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min 00 s'],
    [3_725_000, '1 h 02 min'],
  ] as const) {
    it(`formats ${ms} ms as ${words}`, () => assert.equal(duration(ms), words));
  }
});
