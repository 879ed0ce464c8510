import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CODES } from '../codes.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { sarifLog } from './sarif.ts';

const text = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1, maxLength: 1024 }, markdown: { type: 'string', minLength: 1 } },
  additionalProperties: false,
};
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** Requirements of code hosts for SARIF 2.1.0. A host refuses files that do not meet them. */
const HOST_REQUIREMENTS = {
  type: 'object',
  required: ['$schema', 'version', 'runs'],
  properties: {
    $schema: { const: 'https://json.schemastore.org/sarif-2.1.0.json' },
    version: { const: '2.1.0' },
    runs: { type: 'array', minItems: 1, items: { $ref: '#/$defs/run' } },
  },
  additionalProperties: false,
  $defs: {
    run: {
      type: 'object',
      required: ['tool', 'results'],
      properties: {
        tool: { type: 'object', required: ['driver'], properties: { driver: { $ref: '#/$defs/driver' } } },
        columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
        results: { type: 'array', maxItems: 25_000, items: { $ref: '#/$defs/result' } },
      },
      additionalProperties: false,
    },
    driver: {
      type: 'object',
      required: ['name', 'semanticVersion', 'rules'],
      properties: {
        name: { type: 'string' },
        semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
        rules: { type: 'array', items: { $ref: '#/$defs/rule' } },
      },
      additionalProperties: false,
    },
    rule: {
      type: 'object',
      required: ['id', 'shortDescription', 'fullDescription', 'help', 'defaultConfiguration'],
      properties: {
        id: { type: 'string', maxLength: 255 },
        shortDescription: text,
        fullDescription: text,
        help: { ...text, required: ['text', 'markdown'] },
        defaultConfiguration: { type: 'object', required: ['level'], properties: { level } },
        properties: { type: 'object', properties: { tags: { type: 'array', items: { type: 'string' } } } },
      },
      additionalProperties: false,
    },
    result: {
      type: 'object',
      required: ['ruleId', 'ruleIndex', 'level', 'message', 'locations'],
      properties: {
        ruleId: { type: 'string' },
        ruleIndex: { type: 'integer', minimum: 0 },
        level,
        message: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } },
        locations: { type: 'array', minItems: 1, maxItems: 1, items: { $ref: '#/$defs/location' } },
      },
      additionalProperties: false,
    },
    location: {
      type: 'object',
      required: ['physicalLocation'],
      properties: {
        physicalLocation: {
          type: 'object',
          required: ['artifactLocation', 'region'],
          properties: {
            artifactLocation: {
              type: 'object',
              required: ['uri'],
              properties: { uri: { type: 'string', pattern: '^(?:https?://|(?!/))[!-~]+$' } },
            },
            region: {
              type: 'object',
              required: ['startLine'],
              properties: {
                startLine: { type: 'integer', minimum: 1 },
                startColumn: { type: 'integer', minimum: 1 },
              },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
    },
  },
};

const validate = new Ajv2020({ strict: false }).compile(HOST_REQUIREMENTS);

const error: Diagnostic = {
  severity: 'error',
  code: 'image.tagged',
  message: 'It has a tag.',
  path: ['apps', 0, 'image'],
  line: 20,
  column: 12,
  hint: 'Set `tag`.',
};
const unplaced: Diagnostic = { severity: 'error', code: 'release.icon-missing', message: 'None.', path: [] };
const note: Diagnostic = { ...error, severity: 'info', code: 'advice.dockerhub', line: 3 };

function resultsOf(file: string, diagnostics: Diagnostic[]) {
  const log = sarifLog([{ file, text: '', manifest: null, diagnostics }], '0.1.0');
  assert.ok(validate(log), JSON.stringify(validate.errors));
  const [run] = log.runs;
  assert.ok(run?.results && run.tool.driver.rules);
  return { results: run.results, rules: run.tool.driver.rules };
}

describe('SARIF report', () => {
  test('meets the structure requirements of code hosts', () => {
    resultsOf('template.yaml', [error, unplaced, note]);
    resultsOf('template.yaml', []);
    assert.ok(validate(sarifLog([], '0.1.0')));
  });

  test('lists every code as a rule and includes the fix', () => {
    const { rules } = resultsOf('template.yaml', []);
    assert.deepEqual(
      rules.map(({ id }) => id),
      Object.keys(CODES),
    );
    const rule = rules.find(({ id }) => id === 'image.tagged');
    assert.match(rule?.help?.text ?? '', /Move the part after the colon to `tag`\./);
  });

  test('maps diagnostics to rule, level, message and position in line order', () => {
    const { results, rules } = resultsOf('template.yaml', [error, unplaced, note]);
    const reported = results.map(({ ruleId, level, message, locations, ruleIndex = -1 }) => {
      const { startLine, startColumn } = locations?.[0]?.physicalLocation?.region ?? {};
      assert.equal(rules[ruleIndex]?.id, ruleId);
      return [ruleId, level, message.text, startLine, startColumn];
    });
    assert.deepEqual(reported, [
      ['release.icon-missing', 'error', 'None.', 1, undefined],
      ['advice.dockerhub', 'note', 'It has a tag. Set `tag`.', 3, 12],
      ['image.tagged', 'error', 'It has a tag. Set `tag`.', 20, 12],
    ]);
  });

  test('writes file names as relative, encoded URIs', () => {
    const uri = (file: string) =>
      resultsOf(file, [error]).results[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri;
    assert.equal(uri('./my apps/ümlaut #1/template.yaml'), 'my%20apps/%C3%BCmlaut%20%231/template.yaml');
    assert.equal(uri('a\\b\\template.yaml'), 'a/b/template.yaml');
    assert.equal(uri('https://example.com/template.yaml'), 'https://example.com/template.yaml');
  });

  test('replaces control characters of messages with visible symbols', () => {
    const { results } = resultsOf('template.yaml', [{ ...error, message: 'a\u001b[2J\nb' }]);
    assert.equal(results[0]?.message.text, 'a␛[2J␊b Set `tag`.');
  });
});
