import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPushedArtifact } from './artifact.ts';

const HEX = 'a'.repeat(64);
const digest = `sha256:${'b'.repeat(64)}`;

/** Returns whether a tag is an artifact, in a registry with the given content. */
const judge = (tag: string, isArtifact = false) =>
  isPushedArtifact({ isArtifact: async () => isArtifact }, 'shop/production/web', { tag, digest });

describe('isPushedArtifact', () => {
  for (const suffix of ['', '.sig', '.att', '.sbom', '.cosign.bundle', '-sbom', '_1']) {
    it(`returns true for a tag of a digest with the suffix “${suffix}”, regardless of its content`, async () => {
      assert.equal(await judge(`sha256-${HEX}${suffix}`), true);
    });
  }

  it('returns true for a tag of a SHA-512 digest', async () => {
    assert.equal(await judge(`sha512-${HEX}${HEX}.sig`), true);
  });

  for (const tag of ['v1', 'latest', 'sha-1234567', 'sha256-1234567', `v1-sha256-${HEX}`, `sha256-${HEX}z`, HEX]) {
    it(`decides by the content of the tag ${tag}`, async () => {
      assert.equal(await judge(tag), false);
      assert.equal(await judge(tag, true), true);
    });
  }
});
