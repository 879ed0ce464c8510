import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import workspace from '../../../package.json' with { type: 'json' };
import {
  ADDITIONS_GATE,
  CUBESHIP_GATES,
  CUBESHIP_LEVEL,
  DAVIT_LEVEL,
  hasEmptyAlternative,
  isRange,
  keepsOut,
  satisfies,
} from './versions.ts';

describe('isRange', () => {
  const good = [
    ...['0.6.0', '>=0.6.0', '>= 0.6.0 <1.0.0', '^0.6 || ^1', '~1.2.3', '*', '1.x', '1.0.0 - 2.0.0', '0.6.0-rc.1'],
    ...['>=1 - 2', '1 - =2', '1 - 2 - 3', '1 - ^ 2'],
    ...['|| ^1', '^0.6 ||', 'v1.2.3', 'X', '~> 1.2', '=1', '1.2.3+build.5', '^0.6||^1', ' >=0.6 '],
  ];
  for (const range of good) test(`accepts “${range}” as a version range`, () => assert.equal(isRange(range), true));

  const bad = ['', ' ', 'soon', '>=', '1.2.3.4', 'latest', '>=0.6, <1', '>=0.6,<1', '||', '!=1', '=>1', '1 -', '- 1'];
  for (const range of [...bad, '> - 1', '1 - 2x', '1..2', '> >=1', '1.2.3-', '^ || 1', '1,2']) {
    test(`refuses “${range}” as a version range`, () => assert.equal(isRange(range), false));
  }
});

const RUNNING = [
  ...['0.6.999', '0.7.0-rc.5', '0.7.0-rc.6', '0.7.0', '0.7.2-rc.0'],
  ...['0.7.2', '0.8.999', '0.9.0-rc.0', '0.9.0', '1.2.0'],
];

/** Each row lists the expected results for the running versions, in the order of the versions. */
const TRUTH: [ranges: string[], row: string][] = [
  [['0.7.0', '0.7', 'v0.7.0'], '...TTTTTTT'],
  [['0.7.0-rc.5'], '.TTTTTTTTT'],
  [['>=0.7.0', '>= 0.7'], '...T.TT.TT'],
  [['^0.7', '~>0.7', '0.7.x'], '...T.T....'],
  [['^0.7 || ^1'], '...T.T...T'],
  [['<1.0.0', '0.x'], 'T..T.TT.T.'],
  [['*', 'x'], 'T..T.TT.TT'],
  [['>0.6'], '...T.TT.TT'],
];

describe('satisfies', () => {
  for (const [ranges, row] of TRUTH) {
    for (const range of ranges) {
      test(`compares “${range}” with all running versions`, () => {
        const found = RUNNING.map((running) => (satisfies(range, running) ? 'T' : '.')).join('');
        assert.equal(found, row);
      });
    }
  }

  const cases: [range: string, running: string, expected: boolean][] = [
    ['^99', 'dev', true],
    ['1.0.0', 'edge', true],
    // An alternative that names a prerelease also allows prereleases of other versions.
    ['>=0.7.0-rc.5', '0.7.2-rc.0', true],
    ['>=0.7.0-rc.5 <1.0.0', '0.9.0-rc.0', true],
    ['^0.7.0-rc.5', '0.8.0-rc.1', false],
    ['>=0.7.0-rc.5 || ^2', '2.1.0-rc.1', true],
    ['^1.0.0-rc.1 || ^2', '2.1.0-rc.1', false],
    ['>1', '1.9.0', false],
    ['>1', '2.0.0', true],
    ['<=1', '1.9.9', true],
    ['<=1.2', '1.2.9', true],
    ['<=1.2', '1.3.0', false],
    ['<=1.2.3', '1.2.4', false],
    ['1.0.0 - 2.0', '2.0.9', true],
    ['1.0.0 - 2.0', '2.1.0', false],
    ['1.0.0 - 2.0', '0.9.0', false],
    ['~1.2.3', '1.2.9', true],
    ['~1.2.3', '1.3.0', false],
    ['~1', '1.9.0', true],
    ['^1.2.3', '1.9.0', true],
    ['^1.2.3', '2.0.0', false],
    ['^0.0.3', '0.0.4', false],
    ['^0.0', '0.0.4', true],
    ['^0', '0.9.0', true],
    ['=0.7.0', '0.7.0', true],
    ['=0.7.0', '0.7.1', false],
    ['1.x.3', '1.0.0', true],
    // An empty alternative is ignored.
    ['|| ^1', '1.2.0', true],
    ['|| ^1', '0.9.0', false],
    ['^0.6 ||', '0.6.5', true],
    ['no range', '1.0.0', false],
    ['>=1 - 2', '1.5.0', false],
    ['1 - =2', '1.5.0', false],
    ['1 - 2 - 3', '1.5.0', false],
    ['99999999999999999999', '1.0.0', false],
    ['0.7.0+build', '0.7.0', true],
  ];
  for (const [range, running, expected] of cases) {
    test(`“${range}” is ${expected ? '' : 'not '}satisfied by ${running}`, () => {
      assert.equal(satisfies(range, running), expected);
    });
  }
});

describe('keepsOut', () => {
  const cases: [feature: keyof typeof CUBESHIP_GATES, range: string | undefined, kept: boolean][] = [
    ['volumes', '0.7.0', true],
    ['volumes', '>=0.7.0', true],
    ['volumes', '0.7.0-rc.6', true],
    ['volumes', '0.7.0-rc.5', false],
    ['volumes', '0.6.0', false],
    ['volumes', '*', false],
    ['volumes', undefined, false],
    ['tcp', '0.7.2', true],
    ['tcp', '0.7.1', false],
    ['tcp', '^0.7', false],
    ['extensions', '0.9.0', true],
    ['extensions', '>=0.8', false],
  ];
  for (const [feature, range, kept] of cases) {
    test(`keeps out versions without ${feature} by ${range ?? 'no range'}: ${kept}`, () =>
      assert.equal(keepsOut(range, CUBESHIP_GATES[feature]), kept));
  }

  test('requires a range without versions older than the additions', () => {
    assert.equal(keepsOut('0.1.0', ADDITIONS_GATE), true);
    assert.equal(keepsOut('0.1', ADDITIONS_GATE), true);
    assert.equal(keepsOut('^0', ADDITIONS_GATE), false);
  });
});

test('detects an empty alternative in a version range', () => {
  assert.deepEqual(['^1 ||', '|| ^1', '^1 || || ^2', '^1 || ^2', '^1'].map(hasEmptyAlternative), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('matches the package version and supports every gated feature', () => {
  assert.equal(DAVIT_LEVEL, workspace.version);
  assert.equal(satisfies(ADDITIONS_GATE.since, DAVIT_LEVEL), true);
  for (const { since } of Object.values(CUBESHIP_GATES)) assert.equal(satisfies(since, CUBESHIP_LEVEL), true);
});

test('refuses a version range of excessive length', () => {
  assert.equal(isRange(`${'1||'.repeat(300)}1`), true);
  assert.equal(isRange(`${'1||'.repeat(300_000)}1`), false);
});
