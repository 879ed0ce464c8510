/** Tests that the check accepts the examples in the publishing guides and prints the output that the guides show. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { checkTemplate } from '../src/index.ts';
import { reportLines, summaryLine } from '../src/report/index.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/how-to/publish-a-template.md'), 'utf8');
const blocks = Array.from(guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm), ([, text = '']) => text);

test('the starter template of the publishing guide is valid and gets no advice', () => {
  const template = blocks.find((text) => text.startsWith('version: 1')) ?? '';
  const { manifest, diagnostics } = checkTemplate(template);
  assert.deepEqual([manifest?.project, diagnostics], ['hello', []]);
});

test('the CI workflow of the publishing guide runs the check and uploads the SARIF report', () => {
  const workflow = parse(blocks.find((text) => text.includes('.github/workflows')) ?? '');
  const steps = workflow.jobs.check.steps as { run?: string; uses?: string }[];
  assert.ok(steps.some(({ run }) => run === 'davit-template check --sarif . > template.sarif'));
  assert.ok(steps.some(({ uses }) => uses?.startsWith('github/codeql-action/upload-sarif@')));
});

test('the publishing guide shows the report that the check prints for the example', () => {
  const valid = blocks.find((text) => text.startsWith('version: 1')) ?? '';
  const text = valid.replace('hello\n    tag: "1.2.0"\n', 'hello:1.2.0\n');
  const { manifest, diagnostics } = checkTemplate(text);
  const file = 'template.yaml';
  const report = [
    ...reportLines(diagnostics, { file, text }),
    '',
    summaryLine([{ file, text, manifest, diagnostics }]),
  ];
  assert.ok(guide.includes(`\`\`\`text\n${report.join('\n')}\n\`\`\``), report.join('\n'));
});
