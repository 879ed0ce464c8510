import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readEnvFile } from './read.ts';

const valuesIn = (text: string) =>
  Object.fromEntries([...readEnvFile(text).variables].map(([key, entry]) => [key, entry.value]));

describe('readEnvFile', () => {
  test('reads the forms that dotenv reads', () => {
    const forms: [string, string][] = [
      ['A=', ''],
      ['A=b', 'b'],
      ['  export   A  =  b  ', 'b'],
      ['A: b', 'b'],
      ['A=b c # d', 'b c'],
      ['A=b#c', 'b'],
      ['A=" b "', ' b '],
      ["A='b # c' # d", 'b # c'],
      ['A=`b\'"c`', 'b\'"c'],
      ['A="b\nc"', 'b\nc'],
      ['A="b\\nc\\rd\\te"', 'b\nc\rd\\te'],
      ["A='b\\nc'", 'b\\nc'],
      ['A=$B', '$B'],
      ["A='it\\'s'", "it\\'s"],
      ["A='b\\'", 'b\\'],
      ['A="b" c', '"b" c'],
      ['A="b', '"b'],
      ["A=b'c", "b'c"],
      ['A=b\nA=c', 'c'],
      ['A=b\rA=c', 'c'],
    ];
    for (const [text, expected] of forms) {
      assert.deepEqual(valuesIn(text), { A: expected }, text);
    }
  });

  test('reports values that end before a number sign without a space', () => {
    const { variables, doubtful } = readEnvFile('A=ab#cd\nB=ab #cd\nC="ab#cd"\nD=#cd\n');
    assert.deepEqual(
      [...variables.values()].map(({ value }) => value),
      ['ab', 'ab', 'ab#cd', ''],
    );
    assert.deepEqual(doubtful, [{ line: 1, why: 'cut_value' }]);
  });

  test('reports the numbers of doubtful lines', () => {
    const text = "# a\n\nA='b\nc'\nnothing\nexport B\n=x\nC=\"open\nD=1 # e\n   # f\n";
    assert.deepEqual(readEnvFile(text).doubtful, [
      { line: 5, why: 'no_variable' },
      { line: 6, why: 'no_variable' },
      { line: 7, why: 'no_variable' },
      { line: 8, why: 'open_quote' },
    ]);
    assert.deepEqual(
      [...readEnvFile(text).variables].map(([key, { line }]) => `${key} ${line}`),
      ['A 3', 'C 8', 'D 9'],
    );
  });

  test('lists each variable of the file, even if a later line sets it again', () => {
    const { entries, variables } = readEnvFile('A=1\nB=2\nA=3');
    assert.deepEqual(entries, [
      { name: 'A', value: '1', line: 1 },
      { name: 'B', value: '2', line: 2 },
      { name: 'A', value: '3', line: 3 },
    ]);
    assert.deepEqual(variables.get('A'), entries[2]);
  });

  test('reads a value whose encoding was removed or damaged', () => {
    assert.deepEqual(valuesIn('A="\\u0041"\nB=plain # davit:json\n'), { A: '\\u0041', B: 'plain' });
  });

  test('reads a large file with an open quote', () => {
    const text = `A="${'x\\"y\n'.repeat(200_000)}`;
    assert.equal(readEnvFile(text).variables.get('A')?.value, '"x\\"y');
  });
});
