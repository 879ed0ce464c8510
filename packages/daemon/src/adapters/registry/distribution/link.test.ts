import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryUnavailable } from '../registry.ts';
import { type RegistryAnswer, RegistryClient, type RegistryRequest } from './client.ts';
import { linkImage } from './link.ts';

const FROM = 'secret/production/web';
const TO = 'shop/production/api';
const DIGEST = `sha256:${'1'.repeat(64)}`;
const MANIFEST = JSON.stringify({
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  config: { digest: `sha256:${'2'.repeat(64)}`, size: 2 },
  layers: [],
});

/** A registry client whose responses a test sets. */
class Answers extends RegistryClient {
  readonly #answer: (ask: RegistryRequest) => number;

  constructor(answer: (ask: RegistryRequest) => number) {
    super({ url: () => null });
    this.#answer = answer;
  }

  override async ask(request: RegistryRequest): Promise<RegistryAnswer> {
    return { status: this.#answer(request), headers: {}, body: Buffer.from(MANIFEST) };
  }
}

/**
 * The error becomes the error of the deployment that needs the link. All users with access to the other app can read
 * that error.
 */
describe('the error of linkImage', () => {
  const isOf = (path: string, repository: string) => path.startsWith(`/v2/${repository}/`);
  for (const [what, answer] of [
    [
      'does not name the source repository if a layer is missing',
      ({ method, path }) => (isOf(path, FROM) ? 200 : method === 'POST' ? 202 : 404),
    ],
    [
      'does not name the source repository if the registry cannot read it',
      ({ path }) => (isOf(path, FROM) ? 500 : 404),
    ],
  ] satisfies [string, (ask: RegistryRequest) => number][]) {
    it(what, async () => {
      await assert.rejects(linkImage(new Answers(answer), { digest: DIGEST, from: FROM, to: TO }), (error) => {
        assert.ok(error instanceof RegistryUnavailable);
        assert.equal(error.message.includes(FROM), false, error.message);
        return true;
      });
    });
  }
});
