import assert from 'node:assert/strict';
import { it } from 'node:test';
import { markdownTree } from '../markdown/markdown.ts';
import { anchorsOf } from './anchors.ts';

const anchors = (markdown: string) => [...anchorsOf(markdownTree(markdown)).values()];

it('generates the same heading anchors as GitHub', () => {
  assert.deepEqual(anchors('# Wrong API key\n\n## `davit.yaml`, in short\n\ntext\n\n### A 100 % full disk\n'), [
    'wrong-api-key',
    'davityaml-in-short',
    'a-100--full-disk',
  ]);
});

it('appends a number to repeated heading anchors', () => {
  assert.deepEqual(anchors('## Start\n\n## Start\n\n## Start\n'), ['start', 'start-1', 'start-2']);
});
