import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourceNode } from '../document.ts';
import { LIMITS } from './limits.ts';
import { parseYaml } from './parse.ts';

/** Returns code, path and position of all problems. */
function problemsOf(text: string): string[] {
  return parseYaml(text).problems.map(
    ({ code, path, line, column }) => `${code} [${path.join('.')}] ${line ?? '-'}:${column ?? '-'}`,
  );
}

/** Returns the values of a document without their positions. */
function plain(node: SourceNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return `${node.tag} ${node.text}`;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

const rootOf = (text: string) => parseYaml(text).document?.root;

test('keeps the text and detects the type of each scalar', () => {
  const text =
    'a: 0x10\nb: "0x10"\nc: !!str 5\nd: True\ne:\nf: |\n  one\n  two\ng: >-\n  one\n  two\nh: one\n  two\ni: !!int "7"';
  assert.deepEqual(plain(rootOf(text)), {
    a: 'int 0x10',
    b: 'string 0x10',
    c: 'string 5',
    d: 'bool True',
    e: 'null ',
    f: 'string one\ntwo\n',
    g: 'string one two',
    h: 'string one two',
    i: 'int 7',
  });
  assert.deepEqual(problemsOf(text), []);
});

test('reads flow style, single quotes, comments and non-text keys', () => {
  const text = "# first\na: {b: [1, 'it''s', \"x\\ty\"], c: {}} # last\n? [d, e]\n: f\n7: g\n";
  assert.deepEqual(plain(rootOf(text)), {
    7: 'string g',
    a: { b: ['int 1', "string it's", 'string x\ty'], c: {} },
    '[d, e]': 'string f',
  });
});

test('ignores byte order mark, carriage returns and trailing blanks', () => {
  const expected = { a: 'int 1', b: 'string x' };
  for (const text of [
    '\ufeffa: 1\nb: x\n',
    'a: 1\r\nb: x\r\n',
    'a: 1\rb: x\r',
    'a: 1  \nb: x\t\n\n',
    '---\na: 1\nb: x\n...\n',
  ]) {
    assert.deepEqual(plain(rootOf(text)), expected, JSON.stringify(text));
    assert.deepEqual(problemsOf(text), []);
  }
});

test('accepts a tab after a colon, but not as indentation', () => {
  assert.deepEqual(plain(rootOf('a:\tb')), { a: 'string b' });
  assert.deepEqual(problemsOf('a:\n\tb: 1'), ['yaml.syntax [] 2:-']);
});

test('reports a syntax error with the line only', () => {
  assert.deepEqual(problemsOf('a: "x\n'), ['yaml.syntax [] 2:-']);
  assert.deepEqual(problemsOf('a: 1\nb: "x\nc: 2\nd: 3\n'), ['yaml.syntax [] 2:-']);
  assert.deepEqual(problemsOf('a: 1\nb: c: d\n'), ['yaml.syntax [] 2:-']);
  assert.deepEqual(problemsOf('project: umami\n  bad: indent\n'), ['yaml.syntax [] 2:-']);
  assert.deepEqual(problemsOf('a: [1, 2\nb: 1\n'), ['yaml.syntax [] 1:-']);
  assert.deepEqual(problemsOf('a: @x'), ['yaml.syntax [] 1:-']);
  assert.deepEqual(problemsOf('a: "\\q"'), ['yaml.syntax [] 1:-']);
});

test('reports only the first syntax error of a file', () => {
  assert.deepEqual(problemsOf('a: b: c\nd: e: f\na: 1\n'), ['yaml.syntax [] 1:-']);
});

test('refuses control characters, but accepts their escapes', () => {
  assert.deepEqual(problemsOf('a: 1\nb: "\u0000"\n'), ['yaml.syntax [] 2:-']);
  assert.deepEqual(problemsOf('a: x\u007f'), ['yaml.syntax [] 1:-']);
  assert.deepEqual(plain(rootOf('a: "\\0\\u0085"')), { a: 'string \u0000\u0085' });
});

test('reports each repeated key with its position and the first line', () => {
  const text = 'a: 1\nb:\n  - x: 1\n    x: 2\n    x: 3\na: 2\n';
  assert.deepEqual(problemsOf(text), ['yaml.syntax [b.0] 4:5', 'yaml.syntax [b.0] 5:5', 'yaml.syntax [] 6:1']);
  assert.deepEqual(
    parseYaml(text).problems.map(({ message }) => /line \d+/.exec(message)?.[0]),
    ['line 3', 'line 3', 'line 1'],
  );
});

test('compares keys by text regardless of notation', () => {
  assert.deepEqual(problemsOf('1: a\n"1": b\n'), ['yaml.syntax [] 2:1']);
  assert.deepEqual(problemsOf("{a: 1, 'a': 2}"), ['yaml.syntax [] 1:8']);
});

test('reports an anchor at the path of its value, without nested anchors', () => {
  assert.deepEqual(problemsOf('a: &x\n  b: &y 1\n  b: 2\nc: [d, &z e]\n'), [
    'yaml.alias [a] 1:1',
    'yaml.alias [c.1] 4:11',
  ]);
});

test('warns about an anchor before a key and refuses its alias', () => {
  assert.deepEqual(problemsOf('&x a: 1\n&y b: 2\n'), ['yaml.key-anchor [a] 1:4']);
  assert.equal(parseYaml('&x a: 1\n').problems[0]?.severity, 'warning');
  assert.deepEqual(problemsOf('&x a: 1\nb: *x\n'), ['yaml.alias [b] 2:1', 'yaml.key-anchor [a] 1:4']);
  assert.deepEqual(problemsOf('a: &x {&y b: 1}\n'), ['yaml.alias [a] 1:1']);
});

test('reports an alias or a merge at its path', () => {
  assert.deepEqual(problemsOf('a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n'), [
    'yaml.alias [a] 1:1',
    'yaml.alias [c] 2:1',
    'yaml.alias [d.<<] 4:3',
  ]);
});

test('reports an alias without an anchor as the only syntax error', () => {
  assert.deepEqual(problemsOf('a: &x 1\nb: *x\nc: *y\nc: 1\n'), ['yaml.syntax [] 3:-']);
  assert.deepEqual(problemsOf('a: *x\nb: &x 1\n'), ['yaml.syntax [] 1:-']);
  assert.deepEqual(problemsOf('a: &x\n  b: *y\n'), ['yaml.syntax [] 2:-']);
});

test('reports empty, comment-only and single-value files as empty', () => {
  for (const text of [
    '',
    ' \n\n',
    '# only this\n',
    '---\n',
    '~',
    'hello',
    '"a: 1"',
    '42',
    '--- |\n  a: 1\n',
    '\ufeff',
  ]) {
    assert.deepEqual(
      problemsOf(text).map((line) => line.split(' ')[0]),
      ['yaml.empty'],
      JSON.stringify(text),
    );
  }
});

test('does not report a list as empty', () => {
  assert.deepEqual(problemsOf('- a\n'), []);
});

test('reads only the first document and warns about a later document', () => {
  assert.deepEqual(problemsOf('a: 1\n---\n# c\nb: 2\n'), ['yaml.more-documents [] 4:1']);
  assert.deepEqual(problemsOf('a: 1\n...\n---\n- x\n'), ['yaml.more-documents [] 4:1']);
  assert.deepEqual(plain(rootOf('a: 1\n---\nb: "\n')), { a: 'int 1' });
  assert.equal(parseYaml('a: 1\n---\nb: 2\n').problems[0]?.severity, 'warning');
});

test('ignores empty documents after the first document', () => {
  assert.deepEqual(problemsOf('a: 1\n---\n# c\n...\n---\n'), []);
  assert.deepEqual(
    problemsOf('---\n---\na: 1\n').map((line) => line.split(' ')[0]),
    ['yaml.empty', 'yaml.more-documents'].slice(0, 1),
  );
});

test('accepts files at every limit and reports the exceeded limit', () => {
  const nested = (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}`;
  assert.deepEqual(problemsOf(nested(LIMITS.depth - 2)), []);
  assert.deepEqual(problemsOf(nested(LIMITS.depth - 1)), ['yaml.too-deep [] 1:66']);
  const keys = (count: number) => Array.from({ length: count / 2 }, (_, n) => `k${n}: v\n`).join('');
  assert.deepEqual(problemsOf(keys(LIMITS.nodes)), []);
  assert.deepEqual(problemsOf(keys(LIMITS.nodes + 2)), [`yaml.too-many-nodes [] ${LIMITS.nodes / 2 + 1}:1`]);
  const large = (bytes: number) =>
    `${`a: ${'é'.repeat(50_000 - 2)}\n`.repeat(10)}#${'é'.repeat((bytes - 1_000_002) / 2)}b`;
  assert.deepEqual(
    problemsOf(large(LIMITS.bytes)).filter((line) => !line.startsWith('yaml.syntax')),
    [],
  );
  assert.deepEqual(problemsOf(large(LIMITS.bytes + 2)), ['yaml.too-large [] -:-']);
  for (const quote of ['', '"', "'"]) {
    const value = (length: number) => `a: 1\nb: ${quote}${'x'.repeat(length - 2 * quote.length)}${quote}\n`;
    assert.deepEqual(problemsOf(value(LIMITS.text)), [], quote);
    assert.deepEqual(problemsOf(value(LIMITS.text + 1)), ['yaml.too-large [] 2:4'], quote);
  }
  const block = (lines: number) => `a: |\n${` ${'x'.repeat(98)}\n`.repeat(lines)}`;
  assert.deepEqual(problemsOf(block(Math.floor(LIMITS.text / 100))), []);
  assert.deepEqual(problemsOf(block(Math.ceil(LIMITS.text / 100))), ['yaml.too-large [] 2:1']);
  assert.deepEqual(problemsOf(`a: |\n${' x\n'.repeat(LIMITS.lines - 1)}`), []);
  assert.deepEqual(problemsOf(`a: |\n${' x\n'.repeat(LIMITS.lines)}`), ['yaml.too-large [] -:-']);
  assert.deepEqual(problemsOf(`a: "${'${x}'.repeat(LIMITS.references)}"`), []);
  assert.deepEqual(problemsOf(`a: "${'${x}'.repeat(LIMITS.references + 1)}"`), ['yaml.too-many-nodes [] -:-']);
});

test('reads double-quoted text with and without special characters', () => {
  const text = `a: "b"\nc: "it's"\nd: "\\x41"\ne: "''"\nf: "x\n  y"\ng: ""\n"h": "\ti # j"\n`;
  assert.deepEqual(plain(rootOf(text)), {
    ...{ a: 'string b', c: "string it's", d: 'string A', e: "string ''", f: 'string x y' },
    ...{ g: 'string ', h: 'string \ti # j' },
  });
});

test('accepts any indentation within brackets and quotes', () => {
  const list = { a: { b: ['string x', 'string y'] } };
  for (const text of ['a:\n  b: [\n  x,\n  y\n  ]\n', 'a:\n  b: [\nx,\ny\n]\n', 'a:\n  b: [x,\n y]\n']) {
    assert.deepEqual(plain(rootOf(text)), list, text);
  }
  const text = 'a:\n  - b: {\n    c: "one\ntwo"\n  }\n    d: e\n  - f: g\n    h: i\n      j\n';
  assert.deepEqual(plain(rootOf(text)), {
    a: [
      { b: { c: 'string one two' }, d: 'string e' },
      { f: 'string g', h: 'string i j' },
    ],
  });
  assert.deepEqual(plain(rootOf("a:\n  b: 'one\n\n two'\nc: d\n")), { a: { b: 'string one\ntwo' }, c: 'string d' });
  assert.deepEqual(problemsOf('a: [x\n---\nb: 1\n'), ['yaml.syntax [] 2:-']);
});

test('reads a file without a final line ending as written', () => {
  assert.deepEqual(plain(rootOf('a: |\n  x')), { a: 'string x' });
  assert.deepEqual(plain(rootOf('a: >+\n  "x"')), { a: 'string "x"' });
  assert.deepEqual(plain(rootOf('a: |\n  x\n')), { a: 'string x\n' });
  assert.deepEqual(plain(rootOf("a: 'it''s'")), { a: "string it's" });
  assert.deepEqual(problemsOf("a: 'it''"), ['yaml.syntax [] 1:-']);
  assert.deepEqual(problemsOf('a: "C:\\"'), ['yaml.syntax [] 1:-']);
});
