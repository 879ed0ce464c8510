import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Diagnostic } from '../diagnostic.ts';
import { summaryLine } from './summary.ts';
import { reportLines } from './text.ts';

const FILE = 'template.yaml';

function problem(line: number | undefined, column: number | undefined, more: Partial<Diagnostic> = {}): Diagnostic {
  const position = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { severity: 'error', code: 'image.tagged', message: 'It has a tag.', path: [], ...position, ...more };
}

function report(text: string | null, problems: Diagnostic[], width?: number): string {
  return reportLines(problems, { file: FILE, text, ...(width !== undefined && { width }) }).join('\n');
}

describe('text report', () => {
  test('shows position, message, code, marked source line and hint', () => {
    const text = 'apps:\n  - image: acme/web:v1 # pinned\n';
    assert.equal(
      report(text, [problem(2, 12, { hint: 'Set `tag: v1`.' })]),
      [
        'template.yaml:2:12: error: It has a tag. [image.tagged]',
        '   2 |   - image: acme/web:v1 # pinned',
        '     |            ^~~~~~~~~~~',
        '     = Set `tag: v1`.',
      ].join('\n'),
    );
  });

  test('sorts problems by line and column, problems without position first', () => {
    const found = report('a: 1\nb: 2\n', [
      problem(2, 1, { message: 'third' }),
      problem(1, 4, { message: 'second' }),
      problem(1, 1, { message: 'first' }),
      problem(undefined, undefined, { message: 'before all' }),
    ]);
    assert.deepEqual(found.match(/before all|first|second|third/g), ['before all', 'first', 'second', 'third']);
  });

  test('shows a shared source line only once for two problems', () => {
    const found = report('image: a', [problem(1, 8), problem(1, 8, { severity: 'info', message: 'And more.' })]);
    assert.equal(found.split('image: a').length, 2);
    assert.match(found, /info: And more\./);
  });

  test('omits the mark without a column and the source without a line', () => {
    assert.equal(report('a: "x', [problem(1, undefined)]).split('\n')[1], '   1 | a: "x');
    assert.equal(report('a', [problem(undefined, undefined)]), 'template.yaml: error: It has a tag. [image.tagged]');
    assert.equal(report(null, [problem(3, 1)]).split('\n').length, 1);
    assert.equal(report('a\n', [problem(7, 1)]).split('\n').length, 1, 'a line behind the end');
  });

  test('ignores the style of line endings and the byte order mark', () => {
    const expected = report('a: 1\nb: 2', [problem(2, 4)]);
    assert.equal(report('a: 1\r\nb: 2\r\n', [problem(2, 4)]), expected);
    assert.equal(report('a: 1\rb: 2\r', [problem(2, 4)]), expected);
    assert.equal(report('\ufeffa: 1', [problem(1, 4)]).split('\n')[1], '   1 | a: 1');
  });

  test('aligns the mark after tabs, wide characters, emoji and accents', () => {
    const below = (line: string, column: number) =>
      report(line, [problem(1, column)])
        .split('\n')
        .slice(1);
    assert.deepEqual(below('\tkey: x', 2), ['   1 | →   key: x', '     |     ^~~']);
    assert.deepEqual(below('名前: x', 5), ['   1 | 名前: x', '     |       ^']);
    assert.deepEqual(below('a: "🚀🚀" b', 9), ['   1 | a: "🚀🚀" b', '     |           ^']);
    assert.deepEqual(below('e\u0301e\u0301: x', 7), ['   1 | e\u0301e\u0301: x', '     |     ^']);
  });

  test('marks a quoted text, key or reference completely', () => {
    const mark = (line: string, column: number) => report(line, [problem(1, column)]).split('\n')[2];
    assert.equal(mark('host: "two words"', 7), '     |       ^~~~~~~~~~~');
    assert.equal(mark('version: 2', 1), '     | ^~~~~~~');
    assert.equal(mark('url: http://${app.web.internal}:3000/', 6), `     |      ${'^'.padEnd(32, '~')}`);
    assert.equal(mark('x: ', 4), '     |    ^');
  });

  test('shortens a long line around the marked position', () => {
    const line = `${'a'.repeat(300)} needle ${'b'.repeat(300)}`;
    const [, source = '', mark = ''] = report(line, [problem(1, 302)], 60).split('\n');
    assert.match(source, /^ {3}1 \| …a+ needle b+…$/);
    assert.ok(source.length <= 60, source);
    assert.equal(source.slice(mark.indexOf('^'), mark.indexOf('^') + 6), 'needle');
    assert.ok(mark.length <= 60);
  });

  test('shortens a line of a single long word at every column', () => {
    const line = 'x'.repeat(10_000_000);
    for (const column of [1, 5_000_000, 10_000_000]) {
      const [, source = '', mark = ''] = report(line, [problem(1, column)], 80).split('\n');
      assert.ok(source.length <= 80 && mark.length <= 80, `${source.length} ${mark.length}`);
      assert.equal(source.at(mark.indexOf('^')), 'x');
    }
  });

  test('replaces control and invisible characters with visible symbols', () => {
    const evil = 'a: "\u001b[2J\u001b]0;x\u0007\u202e\u200b\u2028\ud800"';
    const found = report(evil, [problem(1, 4, { message: `No \u001b[31m${evil}\r\nfake: line`, hint: 'b\u0007\nc' })]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the report must not contain control characters
    assert.doesNotMatch(found, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u200b\u2028]|\p{Surrogate}/u);
    assert.equal(found.split('\n').length, 4, 'no line of its own');
    assert.match(found, /a: "␛\[2J␛\]0;x␇����"/);
    assert.match(reportLines([problem(1, 1)], { file: 'a\u001bb', text: null })[0] ?? '', /^a␛b:1:1/);
  });

  test('shortens a message of a million characters', () => {
    const [head = ''] = report(null, [problem(1, 1, { message: 'x'.repeat(1_000_000) })]).split('\n');
    assert.ok(head.length < 1_000);
  });

  test('uses colors only from the given paint function', () => {
    const paint = (text: string, style?: string) => `<${style}>${text}</>`;
    const [head, , mark] = reportLines([problem(1, 1)], { file: FILE, text: 'image: a', paint });
    assert.match(head ?? '', /<red>error:<\/> <bold>It has a tag\.<\/>/);
    assert.match(mark ?? '', /<red>\^~~~~<\/>$/);
  });

  test('returns no lines without any problems', () => assert.deepEqual(reportLines([], { file: FILE, text: 'a' }), []));
});

describe('summary line', () => {
  const checked = (diagnostics: Diagnostic[], isValid = false) => ({
    file: FILE,
    text: '',
    diagnostics,
    manifest: isValid ? ({} as never) : null,
  });

  test('counts errors and warnings of a single file', () => {
    const found = checked([problem(1, 1), problem(1, 1), problem(2, 1, { severity: 'warning' })]);
    assert.equal(summaryLine([found]), 'template.yaml is not valid: 2 errors, 1 warning.');
    assert.equal(summaryLine([checked([], true)]), 'template.yaml is valid: no problems.');
  });

  test('counts invalid templates among several files', () => {
    const fine = checked([problem(1, 1, { severity: 'info' })], true);
    assert.equal(summaryLine([fine, checked([problem(1, 1)])]), '2 templates, 1 not valid: 1 error, 1 note.');
    assert.equal(summaryLine([fine, fine]), '2 templates, all valid: 2 notes.');
  });
});
