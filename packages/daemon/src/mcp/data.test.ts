import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asData, MOST_BYTES, sanitize } from './data.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('data for an MCP agent', () => {
  it('is returned unchanged if nothing must be removed', () => {
    const answer = { items: [{ name: 'web', scale: 2, tag: null, live: true }], next: 'x' };
    assert.deepEqual(sanitize(answer), { value: answer, isCut: false });
  });

  it('contains no values of secret variables in any response format', () => {
    const answer = {
      vars: { TOKEN: 'a', PLAIN: 'b' },
      secret: ['TOKEN'],
      effective: [{ key: 'TOKEN', value: 'a', secret: true }],
      variables: [{ key: 'TOKEN', from: 'a', to: 'c', secret: true }],
    };
    assert.deepEqual(sanitize(answer).value, {
      vars: { TOKEN: null, PLAIN: 'b' },
      secret: ['TOKEN'],
      effective: [{ key: 'TOKEN', value: null, secret: true }],
      variables: [{ key: 'TOKEN', from: null, to: null, secret: true }],
    });
  });

  it('contains the name of a long secret instead of its value', () => {
    const secrets = [
      { key: 'LONG', value: 'correct horse battery' },
      { key: 'SHORT', value: 'abc' },
    ];
    assert.equal(sanitize('abc: correct horse battery!', secrets).value, 'abc: [secret LONG]!');
  });

  it('is limited in size for long lists, texts, maps and nested values', () => {
    const long = 'ü'.repeat(200_000);
    const answers = [
      { items: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `app ${id}`, text: 'x'.repeat(50) })) },
      { output: long },
      { items: [{ log: Array.from({ length: 3_000 }, () => 'y'.repeat(200)) }] },
      {
        vars: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`KEY_${i}`, 'z'.repeat(1_000)])),
        secret: [],
      },
    ];
    for (const answer of answers) {
      const { value, isCut } = sanitize(answer);
      assert.ok(isCut);
      assert.ok(bytes(value) < MOST_BYTES, String(bytes(value)));
      assert.ok(bytes(value) > 4_000, 'and not much less than fits');
    }
  });

  it('keeps the end of logs and the beginning of other lists', () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => ({ line: `${n} ${'x'.repeat(100)}` }));
    const log = sanitize({ lines, more: false }).value as { lines: typeof lines; more: boolean };
    assert.deepEqual([log.lines.at(-1), log.more], [lines.at(-1), true]);
    const list = sanitize({ items: lines }).value as { items: typeof lines };
    assert.deepEqual(list.items[0], lines[0]);
  });

  it('is limited in size for a very large log with control characters', { timeout: 60_000 }, () => {
    const line = '"\\\u0001\u001b]8;;'.repeat(100_000);
    const lines = Array.from({ length: 10_000 }, () => ({ line }));
    const { value, isCut } = sanitize({ lines, more: false });
    assert.ok(isCut && (value as { more: boolean }).more);
    assert.ok(bytes(value) < MOST_BYTES);
  });

  it('contains no part of a secret at the position of the cut', () => {
    const secret = 'correct horse battery '.repeat(500).trim();
    const secrets = [{ key: 'LONG', value: secret }];
    for (let at = 0; at < 10; at += 1) {
      const output = `${'x'.repeat(at * 1_200)}${`${secret} `.repeat(100)}`;
      for (const answer of [{ output }, { text: output }, { output: `${output}${'\u001b[0m'.repeat(70_000)}` }]) {
        const { value, isCut } = sanitize(answer, secrets);
        assert.ok(isCut || JSON.stringify(value).includes('[secret LONG]'));
        assert.doesNotMatch(JSON.stringify(value), /horse/);
      }
    }
  });

  it('is limited in size if every list and text is long', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 59 }, (_, i) => [`a rather long name ${i}`, 'v'.repeat(1_000)]),
    );
    const { value } = sanitize({ items: Array.from({ length: 1_000 }, () => [fields, fields]) });
    assert.ok(bytes(value) < MOST_BYTES);
  });

  it('is enclosed in lines with a different random marker each time', () => {
    const [one, two] = [asData('x', { isCut: false }), asData('x', { isCut: true }, 'First.')];
    const nonce = /“data ([0-9a-f]{16})”/.exec(one)?.[1] ?? assert.fail();
    assert.ok(one.endsWith(`\ndata ${nonce}\nx\ndata ${nonce}`));
    assert.ok(!two.includes(nonce));
    assert.match(two, /^First\.\n.*\nA part of the data is missing, because a response has a size limit/);
  });
});
