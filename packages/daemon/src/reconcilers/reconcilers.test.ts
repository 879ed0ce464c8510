import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@davit/service';
import { Reconcilers } from './reconcilers.ts';

const log = createLogger({ level: 'error' });

class CountedTask {
  readonly everyMs = null;
  readonly name: string;
  runs = 0;

  constructor(name: string) {
    this.name = name;
  }

  async run(): Promise<undefined> {
    this.runs += 1;
    return undefined;
  }
}

test('a call before the start has no effect, and a later call with an unknown name is an error', async () => {
  await using reconcilers = new Reconcilers();
  const [early, late] = [new CountedTask('early'), new CountedTask('late')];
  reconcilers.startEarly(early, log);
  reconcilers.nudge('late');
  await reconcilers.settled();
  assert.deepEqual([early.runs, late.runs], [1, 0]);

  reconcilers.start([late], log);
  await reconcilers.settled();

  assert.deepEqual([early.runs, late.runs], [2, 1]);
  assert.throws(() => reconcilers.nudge('lat'), /no reconciler “lat”/);
  await assert.rejects(reconcilers.run('lat'), /no reconciler “lat”/);
});
