import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Finder, rangesIn } from './find.ts';
import { LogBuffer } from './log-buffer.ts';

const lineOf = (line: string, second = 0) => ({
  replica: '1-1',
  stream: 'stdout' as const,
  at: new Date(second * 1_000).toISOString(),
  line,
});
const shownIn = ({ shown }: LogBuffer) => shown.slice(0, shown.length).map(({ line }) => line);

function filled(count: number, bounds = { lines: 5, characters: 1_000 }): LogBuffer {
  const buffer = new LogBuffer(bounds);
  for (let n = 1; n <= count; n += 1) buffer.append(lineOf(`${n % 2 === 0 ? 'ERROR' : 'INFO'} ${n}`, n));
  return buffer;
}

describe('LogBuffer', () => {
  it('keeps the newest lines and counts dropped lines', () => {
    const buffer = filled(8);
    buffer.trim(false);
    assert.deepEqual(shownIn(buffer), ['ERROR 4', 'INFO 5', 'ERROR 6', 'INFO 7', 'ERROR 8']);
    assert.equal(buffer.letGo, 3);
  });

  it('keeps twice as many lines while the user reads older lines', () => {
    const buffer = filled(12);
    buffer.trim(true);
    assert.equal(buffer.all.length, 10);
    buffer.trim(false);
    assert.equal(buffer.all.length, 5);
  });

  it('limits the number of characters, but always keeps the newest line', () => {
    const buffer = filled(0);
    for (const line of ['x'.repeat(600), 'y'.repeat(600), 'z'.repeat(5_000)]) buffer.append(lineOf(line));
    buffer.trim(false);
    assert.deepEqual(
      shownIn(buffer).map(({ length }) => length),
      [5_000],
    );
  });

  it('shows only existing, appended and prepended lines with the selected levels', () => {
    const buffer = filled(4);
    buffer.showLevels(new Set(['error']));
    buffer.append(lineOf('ERROR new'));
    buffer.append(lineOf('INFO new'));
    buffer.prepend([lineOf('ERROR old'), lineOf('INFO old')]);
    assert.deepEqual(shownIn(buffer), ['ERROR old', 'ERROR 2', 'ERROR 4', 'ERROR new']);
    buffer.trim(false);
    assert.deepEqual(shownIn(buffer), ['ERROR 2', 'ERROR 4', 'ERROR new']);
    buffer.showLevels(null);
    assert.equal(buffer.shown.length, 5);
  });

  it('gives a line from stderr the same level as the same line from stdout', () => {
    const buffer = filled(0);
    const plain = 'server listening on port 8080';
    for (const line of [plain, 'ERROR no disk']) {
      buffer.append({ ...lineOf(line), stream: 'stderr' });
      buffer.prepend([{ ...lineOf(line), stream: 'stderr' }]);
    }
    buffer.showLevels(new Set(['error']));
    assert.deepEqual(shownIn(buffer), ['ERROR no disk', 'ERROR no disk']);
  });

  it('keeps line ids unique and in order after older lines are prepended', () => {
    const buffer = filled(2);
    buffer.prepend([lineOf('a'), lineOf('b')]);
    buffer.prepend([lineOf('c')]);
    const ids = buffer.all.slice(0, 9).map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, 5);
  });

  it('marks a gap only after a line, not in an empty buffer', () => {
    const buffer = filled(0);
    buffer.appendGap('2026-01-01T00:00:00Z');
    assert.equal(buffer.all.length, 0);
    buffer.append(lineOf('a'));
    buffer.appendGap('2026-01-01T00:00:00Z');
    assert.equal(buffer.all.last()?.isGap, true);
  });
});

describe('log search', () => {
  const always = () => true;

  it('finds lines regardless of case and updates the number of matches', () => {
    const buffer = filled(4);
    const finder = new Finder(buffer);
    finder.seek('error');
    finder.look(always);
    assert.equal(finder.count, 2);
    buffer.append(lineOf('Error 5'));
    finder.look(always);
    assert.equal(finder.count, 3);
    for (const n of [6, 7, 8]) buffer.append(lineOf(`${n}`));
    buffer.trim(false);
    finder.look(always);
    assert.equal(finder.count, 2);
  });

  it('searches in slices until all lines are processed', () => {
    const buffer = new LogBuffer();
    for (let n = 0; n < 1_000; n += 1) buffer.append(lineOf('same'));
    const finder = new Finder(buffer);
    finder.seek('same');
    finder.look(() => false);
    assert.equal(finder.isDone, false);
    while (!finder.isDone) finder.look(() => Math.random() < 0.5);
    assert.equal(finder.count, 1_000);
  });

  it('steps through matches in both directions and wraps around', () => {
    const finder = new Finder(filled(5));
    finder.seek('error');
    finder.look(always);
    assert.deepEqual([finder.step(null, 1), finder.step(2, 1), finder.step(4, 1), finder.step(2, -1)], [2, 4, 2, 4]);
    assert.deepEqual([finder.step(3, 1), finder.step(3, -1), finder.step(1, -1)], [4, 2, 4]);
    assert.deepEqual([finder.placeOf(4), finder.placeOf(3)], [2, 0]);
  });

  it('matches literal text and ignores color codes', () => {
    assert.deepEqual(rangesIn('a.b aXb A.B', 'a.b'), [
      [0, 3],
      [8, 11],
    ]);
    assert.deepEqual(rangesIn('x', ''), []);
    const buffer = new LogBuffer();
    buffer.append(lineOf('time\u001b[31mout'));
    const finder = new Finder(buffer);
    finder.seek('timeout');
    finder.look(always);
    assert.equal(finder.count, 1);
  });
});
