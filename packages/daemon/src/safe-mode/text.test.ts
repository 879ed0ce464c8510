import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { SafeModeProblem } from '@davit/api';
import { SAFE_MODE_POLICY, safeModePage, stepsOf } from './text.ts';

const PROBLEMS: Record<SafeModeProblem, true> = {
  ...{ damaged: true, missing: true, 'log damaged': true, newer: true },
  ...{ mismatched: true, unreadable: true, full: true, key: true },
};
const reasons = (Object.keys(PROBLEMS) as SafeModeProblem[]).map((problem) => ({
  problem,
  message: '',
  version: null,
}));

test('the page of safe mode has a style that its content security policy allows', () => {
  for (const reason of reasons) {
    const style = /<style>(.*)<\/style>/s.exec(safeModePage(reason))?.[1] ?? '';
    assert.match(style, /color-scheme:light dark/);
    assert.ok(SAFE_MODE_POLICY.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`));
  }
});

test('the steps of a repair restore the file rescued.db only after they have exported it', () => {
  for (const reason of reasons) {
    const commands = stepsOf(reason).map(({ command }) => command);
    const restored = commands.indexOf('davit instance restore-state rescued.db');
    const exported = commands.indexOf('davit instance export rescued.db');
    assert.ok(restored === -1 ? exported === -1 : exported !== -1 && exported < restored, reason.problem);
  }
});
