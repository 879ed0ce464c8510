import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { parse } from 'yaml';
import { checkTemplate } from '../src/check.ts';
import { INPUT_TYPES, JOB_MOMENTS, SECRET_FORMATS } from '../src/draft.ts';
import { ATTRIBUTES } from '../src/references.ts';
import { ENGINES } from '../src/rules/engines.ts';
import { EXTENSIONS } from '../src/rules/extensions.ts';
import type { Shape } from '../src/schema/shape.ts';
import { TEMPLATE } from '../src/schema/template.ts';
import { CUBESHIP_GATES, CUBESHIP_LEVEL } from '../src/versions.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/reference/template-format.md'), 'utf8');

/** Returns all keys that a value of a shape can have, at any depth. */
function keysOf(shape: Shape): string[] {
  switch (shape.is) {
    case 'list':
      return keysOf(shape.of);
    case 'object':
      return Object.entries(shape.fields).flatMap(([key, field]) => [key, ...keysOf(field.shape)]);
    case 'variants':
      return Object.values(shape.variants).flatMap(keysOf);
    default:
      return [];
  }
}

describe('the template format reference', () => {
  test('names every key of the template schema', () => {
    const missing = [...new Set(keysOf(TEMPLATE))].filter((key) => !PAGE.includes(`\`${key}\``));
    assert.deepEqual(missing, [], `docs/reference/template-format.md does not name ${missing.join(', ')}`);
  });

  test('names every allowed value of enumerations, engines, extensions and attributes', () => {
    const lists = [INPUT_TYPES, JOB_MOMENTS, SECRET_FORMATS, Object.keys(ENGINES), Object.keys(EXTENSIONS)];
    const missing = [...lists, ...Object.values(ATTRIBUTES)].flat().filter((value) => !PAGE.includes(`\`${value}\``));
    assert.deepEqual(missing, []);
  });

  test('lists the versions, port and host stem of each database engine', () => {
    for (const [name, { versions, port, stem }] of Object.entries(ENGINES)) {
      const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` `));
      assert.deepEqual(
        row
          ?.split('|')
          .slice(2, 5)
          .map((cell) => cell.trim()),
        [versions.map((version) => `\`${version}\``).join(' '), String(port), `\`${stem}\``],
        name,
      );
    }
  });

  test('names every Cubeship version gate and the Cubeship level', () => {
    for (const { without, since } of Object.values(CUBESHIP_GATES)) {
      assert.ok(PAGE.includes(`${without.join(' and ')} `) && PAGE.includes(`"${since}"`), since);
    }
    assert.ok(PAGE.includes(`Cubeship ${CUBESHIP_LEVEL}`));
  });

  test('begins with an example that passes the check without diagnostics', () => {
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? [];
    assert.deepEqual(checkTemplate(example).diagnostics, []);
  });

  test('contains only YAML examples that can be parsed', () => {
    for (const [, example = ''] of PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)) assert.ok(parse(example));
  });
});
