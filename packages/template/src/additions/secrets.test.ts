import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DOMAIN, draftOf, meaningOf } from '../../test/support/drafts.ts';
import type { DraftInput } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };

describe('reported problems of secrets', () => {
  const cases: [secret: Partial<DraftInput>, said: string[]][] = [
    [{ format: 'hex', bytes: 32 }, []],
    [{ format: 'base64', bytes: 8 }, []],
    [{ format: 'base64url', bytes: 1024 }, []],
    [{ format: 'uuid' }, []],
    [{ format: 'alphanumeric', generate: 32 }, []],
    [{ format: 'hex' }, ['secret.format format']],
    [{ format: 'hex', bytes: 32, generate: 32 }, ['secret.format generate']],
    [{ format: 'hex', bytes: 7 }, ['secret.bytes bytes']],
    [{ format: 'hex', bytes: 1025 }, ['secret.bytes bytes']],
    [{ format: 'uuid', bytes: 16 }, ['secret.format bytes']],
    [{ format: 'uuid', generate: 32 }, ['secret.format generate']],
    [{ format: 'alphanumeric' }, ['secret.format format']],
    [{ format: 'alphanumeric', generate: 32, bytes: 32 }, ['secret.format bytes']],
    [{ bytes: 32 }, ['secret.format bytes']],
  ];
  for (const [secret, said] of cases) {
    test(JSON.stringify(secret), () => {
      const inputs: DraftInput[] = [DOMAIN, { key: 's', type: 'secret', label: 'x', ...secret }];
      assert.deepEqual(
        meaningOf(draftOf({ ...NEW, inputs })),
        said.map((one) => one.replace(' ', ' inputs.1.')),
      );
    });
  }
});
