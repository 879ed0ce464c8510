import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Schedule } from '@davit/api';
import { bodyOf, draftOf, missingIn, newDraft } from './schedule-draft.ts';

const SCHEDULE = {
  name: null,
  cron: '@daily',
  time_zone: 'Europe/Berlin',
  command: ['sh', '-c', 'echo "a b"'],
  timeout_s: 60,
  enabled: false,
} as Schedule;

it('sends an unchanged schedule without modification', () => {
  const { name, cron, time_zone, command, timeout_s, enabled } = SCHEDULE;
  assert.deepEqual(bodyOf(draftOf(SCHEDULE)), { name, cron, time_zone, command, timeout_s, enabled });
});

it('reports missing fields of a schedule and trims spaces', () => {
  const draft = { ...newDraft('UTC'), command: 'true', cron: ' 0  3 * * * ', name: ' ' };
  assert.equal(missingIn(draft), null);
  assert.deepEqual([bodyOf(draft).cron, bodyOf(draft).name], ['0 3 * * *', null]);
  assert.match(missingIn({ ...draft, command: 'echo "' }) ?? '', /quotes/);
  assert.match(missingIn({ ...draft, cron: ' ' }) ?? '', /cron expression/);
});
