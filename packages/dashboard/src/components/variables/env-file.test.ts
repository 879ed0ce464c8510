import assert from 'node:assert/strict';
import test from 'node:test';
import { readPastedFile } from './env-file.ts';

const values = (text: string) => Object.fromEntries(readPastedFile(text).values);
const refused = (text: string) =>
  readPastedFile(text).entries.flatMap((entry) => (entry.kind === 'refused' ? [`${entry.line}: ${entry.why}`] : []));

test('reads names and values with comments, empty lines and export', () => {
  const text = '# first\n\nA=1\nexport B=two words\n  C = 3  \nD=\nE="x#y" # a comment\nF=#nothing\nG: yaml';

  assert.deepEqual(values(text), { A: '1', B: 'two words', C: '3', D: '', E: 'x#y', F: '', G: 'yaml' });
  assert.deepEqual(refused(text), []);
});

test('keeps quoted characters and interprets line breaks only in double quotes', () => {
  const text = `A=" a # b " # said\nB='it says "x"\\n'\nC="line\\nnext\\t\\"q\\" \\$H \\d"\nD=\`both ' and "\`\nE=""`;

  assert.deepEqual(values(text), {
    A: ' a # b ',
    B: 'it says "x"\\n',
    C: 'line\nnext\\t\\"q\\" \\$H \\d',
    D: `both ' and "`,
    E: '',
  });
});

test('reads quoted values over several lines and continues after the value', () => {
  const text = 'KEY="-----BEGIN-----\nabc=\n-----END-----"\nNEXT=1\nLIST=\'a\nb\'';

  assert.deepEqual(values(text), { KEY: '-----BEGIN-----\nabc=\n-----END-----', NEXT: '1', LIST: 'a\nb' });
  assert.deepEqual(
    readPastedFile(text).entries.map(({ line }) => line),
    [1, 4, 5],
  );
});

test('accepts all line endings and ignores a byte order mark', () => {
  assert.deepEqual(values('\uFEFFA=1\r\nB="x\r\ny"\rC=3'), { A: '1', B: 'x\ny', C: '3' });
});

test('uses the last value of a repeated name and reports the replacement', () => {
  const file = readPastedFile('A=1\nB=2\nA=3');

  assert.deepEqual(Object.fromEntries(file.values), { A: '3', B: '2' });
  assert.deepEqual(
    file.entries.map((entry) => (entry.kind === 'variable' ? entry.replacedAt : 'refused')),
    [3, undefined, undefined],
  );
});

test('accepts a name with a dot, but not at its start', () => {
  assert.deepEqual(values('discovery.type=single-node'), { 'discovery.type': 'single-node' });
  assert.equal(refused('.hidden=x').length, 1);
});

test('reports invalid lines with line numbers and reads the rest', () => {
  const text = 'JUST_A_WORD\n1ST=x\nA-B=x\n=x\nOK=1\nX="open\nY=2\nZ="a" b';

  assert.deepEqual(refused(text), [
    '1: The line does not have the form NAME=value.',
    '2: The name must contain only letters, digits, “_” and “.”, and must not start with a digit or a dot.',
    '3: The name must contain only letters, digits, “_” and “.”, and must not start with a digit or a dot.',
    '4: The line does not have the form NAME=value.',
    '6: The value starts with a quote, but does not end with a closing quote.',
    '8: The value starts with a quote, but does not end with a closing quote.',
  ]);
  assert.deepEqual(values(text), { OK: '1', Y: '2' });
  assert.deepEqual(refused("A='open\nB=1"), [
    '1: The value starts with a quote, but does not end with a closing quote.',
  ]);
  assert.deepEqual(values("A='open\nB=1"), { B: '1' });
});

test('accepts __proto__ as a variable name and does not expand values', () => {
  assert.deepEqual(
    [...readPastedFile('__proto__=1\nconstructor=$HOME/x').values],
    [
      ['__proto__', '1'],
      ['constructor', '$HOME/x'],
    ],
  );
});
