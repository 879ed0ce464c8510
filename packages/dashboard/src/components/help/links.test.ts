import assert from 'node:assert/strict';
import { it } from 'node:test';
import { helpLink } from './links.ts';

const NAMES = new Map([
  ['glossary.md', 'glossary'],
  ['how-to/read-logs.md', 'read-logs'],
  ['explanation/dashboard.md', 'dashboard'],
]);
const link = (target: string) => helpLink(target, 'how-to/read-logs.md', NAMES);

it('turns links between help pages into help URLs', () => {
  assert.equal(link('../explanation/dashboard.md'), '/help/dashboard');
  assert.equal(link('../glossary.md#apps'), '/help/glossary#apps');
  assert.equal(link('#options'), '/help/read-logs#options');
});

it('keeps web links in help pages unchanged', () => {
  assert.equal(link('https://publicsuffix.org'), 'https://publicsuffix.org');
});

it('returns no link for targets outside the help', () => {
  for (const target of [
    '../reference/errors.md',
    '../../CONTRIBUTING.md',
    'mailto:a@example.com',
    'javascript:x',
    '//a.b/c',
  ])
    assert.equal(link(target), null, target);
});
