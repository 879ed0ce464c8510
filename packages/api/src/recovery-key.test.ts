import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { formatRecoveryKey, parseRecoveryKey, RecoveryKeyInvalid } from './recovery-key.ts';

describe('a recovery key', () => {
  test('has a text form from which its bytes can be read', () => {
    for (let n = 0; n < 200; n++) {
      const key = randomBytes(32);
      const text = formatRecoveryKey(key);
      assert.match(text, /^([0-9A-HJKMNP-TV-Z]{5}-){12}[0-9A-HJKMNP-TV-Z]{5}$/);
      assert.deepEqual(Buffer.from(parseRecoveryKey(text)), key);
    }
  });

  test('is read with lower-case letters, spaces and letters that look like digits', () => {
    const key = Buffer.alloc(32, 0);
    const text = formatRecoveryKey(key);

    assert.deepEqual(
      Buffer.from(parseRecoveryKey(` ${text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `)),
      key,
    );
  });

  test('with one wrong character names the group of the character, but not its text', () => {
    const text = formatRecoveryKey(randomBytes(32));
    const letters = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
    for (let at = 0; at < text.length; at++) {
      if (text[at] === '-') continue;
      for (const letter of letters.filter((one) => one !== text[at])) {
        const wrong = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        const group = `Group ${Math.floor(at / 6) + 1} of the recovery key has a typing error.`;
        assert.throws(() => parseRecoveryKey(wrong), { name: 'RecoveryKeyInvalid', message: group });
      }
    }
  });

  test('with exchanged groups, or of another length, is refused', () => {
    const groups = formatRecoveryKey(randomBytes(32)).split('-');
    const [first = '', second = '', ...rest] = groups;
    assert.throws(() => parseRecoveryKey([second, first, ...rest].join('-')), RecoveryKeyInvalid);
    assert.throws(() => parseRecoveryKey(groups.slice(1).join('-')), RecoveryKeyInvalid);
    assert.throws(() => parseRecoveryKey(''), RecoveryKeyInvalid);
  });
});
