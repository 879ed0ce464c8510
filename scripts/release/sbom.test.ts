import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lock } from './lock.ts';
import { sbomOf } from './sbom.ts';

const LOCK: Lock = new Map([
  ['node_modules/zod', { version: '4.0.0', integrity: 'sha512-AAEC', license: 'MIT' }],
  ['node_modules/@img/colour', { version: '1.1.0', integrity: 'sha512-AwQ=', license: '(MIT OR Apache-2.0)' }],
  ['packages/cli/node_modules/zod', { version: '3.0.0', integrity: 'sha512-BQ==', license: 'SEE LICENSE' }],
]);

describe('the bill of materials', () => {
  it('names each package once with version, license and digest of its archive', () => {
    const folders = [
      'node_modules/zod',
      'packages/cli/node_modules/zod',
      'node_modules/@img/colour',
      'node_modules/zod',
    ];
    const { bomFormat, specVersion, metadata, components } = JSON.parse(sbomOf(LOCK, folders, '0.1.0'));
    assert.deepEqual([bomFormat, specVersion, metadata.component.version], ['CycloneDX', '1.6', '0.1.0']);
    assert.deepEqual(
      components.map(({ purl, licenses, hashes }: Record<string, unknown>) => [purl, licenses, hashes]),
      [
        ['pkg:npm/%40img/colour@1.1.0', [{ expression: '(MIT OR Apache-2.0)' }], [{ alg: 'SHA-512', content: '0304' }]],
        ['pkg:npm/zod@3.0.0', [{ license: { name: 'SEE LICENSE' } }], [{ alg: 'SHA-512', content: '05' }]],
        ['pkg:npm/zod@4.0.0', [{ license: { id: 'MIT' } }], [{ alg: 'SHA-512', content: '000102' }]],
      ],
    );
  });

  it('is the same for the same packages in another order, and has another serial number for others', () => {
    const one = sbomOf(LOCK, ['node_modules/zod', 'node_modules/@img/colour'], '0.1.0');
    assert.equal(sbomOf(LOCK, ['node_modules/@img/colour', 'node_modules/zod'], '0.1.0'), one);
    const other = JSON.parse(sbomOf(LOCK, ['node_modules/zod'], '0.1.0'));
    assert.notEqual(other.serialNumber, JSON.parse(one).serialNumber);
    assert.match(other.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is refused for a package that the lock file does not contain', () => {
    assert.throws(() => sbomOf(LOCK, ['node_modules/other'], '0.1.0'), /node_modules\/other/);
  });
});
