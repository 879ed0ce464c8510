/** Product texts contain no words or sentences that `scripts/words.ts` reports. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brokenRules, type Finding, findings, findingsIn, REPLACED_TERMS } from '../scripts/words.ts';

/** Sentences that are allowed as exceptions, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'The machine that an instance runs on.': 'the glossary defines “server” with it',
};

const shown = ({ path, rule, sentence }: Finding) => `${path}: ${rule}: ${sentence}`;

describe('product texts', () => {
  const all = findings();
  const open = all.filter(({ sentence }) => EXCEPTIONS[sentence] === undefined);

  it('use plain sentences and the terms of the glossary', () => {
    assert.deepEqual(open.map(shown), []);
  });

  it('still contain every sentence of the exception list', () => {
    const sentences = new Set(all.map(({ sentence }) => sentence));
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((sentence) => !sentences.has(sentence)),
      [],
    );
  });
});

describe('findings of the words check', () => {
  const BROKEN = {
    guillemets: 'Choose «Save» to continue.',
    'no subject': 'Whose image this one took over.',
    words: 'The app was told to end.',
  };
  for (const [rule, sentence] of Object.entries(BROKEN)) {
    it(`report the rule “${rule}” in Markdown, JSON and TSX files`, () => {
      assert.deepEqual(brokenRules(sentence), [rule]);
      const files = {
        'page.md': `# Title\n\n- ${sentence}\n`,
        'openapi.json': JSON.stringify({ paths: { get: { description: sentence } } }),
        'view.tsx': `export const view = <p title="${sentence}">{\`${sentence}\`}</p>;`,
      };
      const found = Object.entries(files).flatMap(([path, content]) => findingsIn(path, content));
      assert.deepEqual(
        found.map((finding) => [finding.path, finding.rule]),
        ['page.md', 'openapi.json', 'view.tsx', 'view.tsx'].map((path) => [path, rule]),
      );
    });
  }

  it('do not include code, comments or plain sentences', () => {
    const page = 'Davit restarts the app.\n\n```sh\necho «it was told to end»\n```\n\nRun `nobody knows it`.\n';
    assert.deepEqual(findingsIn('page.md', page), []);
    assert.deepEqual(findingsIn('code.ts', "// It was told to end.\nexport const text = 'The app has ended.';\n"), []);
  });
});

it('each replaced term is a term of the glossary', () => {
  const glossary = readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8');
  const terms = new Set(Array.from(glossary.matchAll(/^\| \*\*(.+?)\*\*/gm), ([, term]) => term));
  assert.deepEqual(
    Object.keys(REPLACED_TERMS).filter((term) => !terms.has(term)),
    [],
  );
});
