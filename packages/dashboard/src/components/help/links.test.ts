import assert from 'node:assert/strict';
import { it } from 'node:test';
import { helpLink } from './links.ts';

const NAMES = new Map([
  ['glossary.md', 'glossary'],
  ['how-to/read-logs.md', 'read-logs'],
  ['explanation/dashboard.md', 'dashboard'],
]);
const link = (target: string) => helpLink(target, 'how-to/read-logs.md', NAMES);

it('links between pages stay in the help', () => {
  assert.equal(link('../explanation/dashboard.md'), '/help/dashboard');
  assert.equal(link('../glossary.md#apps'), '/help/glossary#apps');
  assert.equal(link('#options'), '/help/read-logs#options');
});

it('links of the web stay as they are', () => {
  assert.equal(link('https://publicsuffix.org'), 'https://publicsuffix.org');
});

it('links to files that the help does not show lead nowhere', () => {
  for (const target of [
    '../reference/errors.md',
    '../../CONTRIBUTING.md',
    'mailto:a@example.com',
    'javascript:x',
    '//a.b/c',
  ])
    assert.equal(link(target), null, target);
});
