import assert from 'node:assert/strict';
import test from 'node:test';
import { afterKey, type Early } from './early-keys.ts';

const NONE: Early = { text: '', keys: [] };

function press(...keys: string[]): Early | 'close' | null {
  return keys.reduce<Early | 'close' | null>((early, key) => {
    assert.ok(early !== null && early !== 'close');
    return afterKey(early, key);
  }, NONE);
}

test('letters become the text, and selecting keys are kept in order', () => {
  assert.deepEqual(press('w', 'e', 'b', ' ', 'é'), { text: 'web é', keys: [] });
  assert.deepEqual(press('a', 'Backspace', 'Backspace', 'b'), { text: 'b', keys: [] });
  assert.deepEqual(press('w', 'ArrowDown', 'Enter'), { text: 'w', keys: ['ArrowDown', 'Enter'] });
});

test('Escape closes the palette, and the palette does not use other keys', () => {
  assert.equal(press('w', 'Escape'), 'close');
  for (const key of ['Tab', 'Shift', 'Dead', 'F5']) assert.equal(press(key), null);
});
