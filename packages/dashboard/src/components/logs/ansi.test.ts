import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { piecesOf, plainOf } from './ansi.ts';
import { cube, textColour } from './colour.ts';

const ESC = '\u001b';
const colours = (line: string) => piecesOf(line).map(({ text, look }) => [text, look?.colour ?? null]);

describe('colours of a line', () => {
  it('keeps the sixteen, the 256 and true colours, to their end', () => {
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

  it('keeps what comes after a colour of several numbers', () => {
    const [piece] = piecesOf(`${ESC}[38;5;196;1;4mx`);
    assert.deepEqual([piece?.look?.bold, piece?.look?.underline], [true, true]);
  });

  it('ends each look with its own number', () => {
    const [bold, plain] = piecesOf(`${ESC}[1;32mgo${ESC}[22;39mon`);
    assert.deepEqual([bold?.look?.bold, bold?.look?.colour, plain], [true, 2, { text: 'on', look: null }]);
  });

  it('joins what looks the same', () => {
    assert.deepEqual(piecesOf(`a${ESC}[2Kb`), [{ text: 'ab', look: null }]);
  });
});

describe('what is no colour', () => {
  it('is taken out: the cursor, the title, links, device strings', () => {
    assert.equal(
      plainOf(`${ESC}[2J${ESC}[Hhome${ESC}]0;title\u0007 ${ESC}]8;;http://evil\u001b\\link${ESC}P1q\u001b\\.`),
      'home link.',
    );
    assert.equal(plainOf(`${ESC}c${ESC}(Bx`), 'x');
  });

  it('hides nothing when it is not closed', () => {
    assert.equal(plainOf(`${ESC}]0;never closed`), '0;never closed');
    assert.equal(plainOf(`before ${ESC}[`), 'before ');
    assert.equal(plainOf(`end${ESC}`), 'end\u241b');
  });

  it('is shown safely, with its length kept', () => {
    assert.equal(plainOf('a\u0000b\u0007c\u007f\u009b'), 'a\u2400b\u2407c\u2421\ufffd');
    assert.equal(plainOf('user\u202egnp.exe\u2066'), 'user\ufffdgnp.exe\ufffd');
    assert.equal(plainOf('tab\tstays'), 'tab\tstays');
  });

  it('takes a hostile line of a mebibyte in time', () => {
    const line = `${ESC}]`.repeat(512 * 1024);
    const began = performance.now();
    assert.equal(plainOf(line), '');
    assert.ok(performance.now() - began < 10_000);
  });
});

it('takes a mebibyte of colours in one sequence in time', { timeout: 60_000 }, () => {
  const [piece] = piecesOf(`${ESC}[${'38;5;1;'.repeat(150_000)}1mred`);
  assert.deepEqual([piece?.text, piece?.look?.bold], ['red', true]);
});

describe('colours that cannot be read', () => {
  it('are moved to where they can', () => {
    assert.equal(textColour([255, 255, 0]).includes('rgb(255 255 0))'), true, 'bright on dark stays');
    assert.equal(textColour([255, 255, 0]).startsWith('light-dark(rgb(255 255 0)'), false);
    assert.deepEqual(cube(16), [0, 0, 0]);
    assert.deepEqual(cube(255), [238, 238, 238]);
  });
});
