import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { piecesOf, plainOf } from './ansi.ts';
import { cube, textColour } from './colour.ts';

const ESC = '\u001b';
const colours = (line: string) => piecesOf(line).map(({ text, look }) => [text, look?.colour ?? null]);

describe('ANSI colors of a log line', () => {
  it('parses 16-color, 256-color and true-color sequences and color resets', () => {
    assert.deepEqual(colours(`${ESC}[31mred${ESC}[0m plain`), [
      ['red', 1],
      [' plain', null],
    ]);
    assert.deepEqual(colours(`${ESC}[92mgreen`), [['green', 10]]);
    assert.deepEqual(colours(`${ESC}[38;5;196mx`), [['x', [255, 0, 0]]]);
    assert.deepEqual(colours(`${ESC}[38;5;3mx`), [['x', 3]]);
    assert.deepEqual(colours(`${ESC}[38;2;1;2;3mx`), [['x', [1, 2, 3]]]);
    assert.deepEqual(colours(`${ESC}[38:2::1:2:3mx`), [['x', [1, 2, 3]]]);
    assert.deepEqual(colours(`${ESC}[38;5;999mx`), [['x', null]]);
  });

  it('applies styles after a multi-part color in the same sequence', () => {
    const [piece] = piecesOf(`${ESC}[38;5;196;1;4mx`);
    assert.deepEqual([piece?.look?.bold, piece?.look?.underline], [true, true]);
  });

  it('ends bold and color with their own reset codes', () => {
    const [bold, plain] = piecesOf(`${ESC}[1;32mgo${ESC}[22;39mon`);
    assert.deepEqual([bold?.look?.bold, bold?.look?.colour, plain], [true, 2, { text: 'on', look: null }]);
  });

  it('merges adjacent text with the same style', () => {
    assert.deepEqual(piecesOf(`a${ESC}[2Kb`), [{ text: 'ab', look: null }]);
  });
});

describe('control sequences without color', () => {
  it('removes cursor, title, link and device control sequences', () => {
    assert.equal(
      plainOf(`${ESC}[2J${ESC}[Hhome${ESC}]0;title\u0007 ${ESC}]8;;http://evil\u001b\\link${ESC}P1q\u001b\\.`),
      'home link.',
    );
    assert.equal(plainOf(`${ESC}c${ESC}(Bx`), 'x');
  });

  it('keeps text around an unterminated control sequence', () => {
    assert.equal(plainOf(`${ESC}]0;never closed`), '0;never closed');
    assert.equal(plainOf(`before ${ESC}[`), 'before ');
    assert.equal(plainOf(`end${ESC}`), 'end\u241b');
  });

  it('replaces control and bidirectional characters with visible symbols of equal length', () => {
    assert.equal(plainOf('a\u0000b\u0007c\u007f\u009b'), 'a\u2400b\u2407c\u2421\ufffd');
    assert.equal(plainOf('user\u202egnp.exe\u2066'), 'user\ufffdgnp.exe\ufffd');
    assert.equal(plainOf('tab\tstays'), 'tab\tstays');
  });

  it('processes a hostile 1 MiB line within ten seconds', () => {
    const line = `${ESC}]`.repeat(512 * 1024);
    const began = performance.now();
    assert.equal(plainOf(line), '');
    assert.ok(performance.now() - began < 10_000);
  });
});

it('processes a 1 MiB color sequence within the test timeout', { timeout: 60_000 }, () => {
  const [piece] = piecesOf(`${ESC}[${'38;5;1;'.repeat(150_000)}1mred`);
  assert.deepEqual([piece?.text, piece?.look?.bold], ['red', true]);
});

describe('log text colors', () => {
  it('changes unreadable colors in the light theme only', () => {
    assert.equal(textColour([255, 255, 0]).includes('rgb(255 255 0))'), true, 'bright on dark stays');
    assert.equal(textColour([255, 255, 0]).startsWith('light-dark(rgb(255 255 0)'), false);
    assert.deepEqual(cube(16), [0, 0, 0]);
    assert.deepEqual(cube(255), [238, 238, 238]);
  });
});
