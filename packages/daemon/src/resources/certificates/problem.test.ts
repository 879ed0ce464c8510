import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OrderProblem, orderProblemOf } from './problem.ts';

const found = ['caa', 'connection', 'dns', 'incorrectResponse', 'tls', 'unauthorized'];
const refused = { stage: 'validate', message: 'words of the authority', cause: 'refused', retryAfterS: null } as const;
const problems = (codes: (string | null)[], isPublic: boolean) =>
  new Set(codes.map((code) => textOf(orderProblemOf({ ...refused, code }, 'a.example.com', isPublic))));
const textOf = ({ code, message }: OrderProblem) => `${code}: ${message}`;

describe('why a certificate was not issued', () => {
  it('is said in detail for an authority of the internet', () => {
    assert.ok(problems(found, true).size > 4);
  });

  it('does not show what a private authority found at the address of a name', () => {
    const [problem, ...others] = problems([...found, 'serverInternal', null], false);

    assert.match(
      problem ?? '',
      /^validation_failed: The certificate authority could not validate a\.example\.com; find the reason in the log of the instance/,
    );
    assert.deepEqual(others, []);
  });

  it('is said for a private authority if it has nothing to do with that address', () => {
    assert.deepEqual(
      problems(['rateLimited', 'no_http_proof'], true),
      new Set([
        textOf(orderProblemOf({ ...refused, stage: 'order', code: 'rateLimited' }, 'a.example.com', false)),
        textOf(orderProblemOf({ ...refused, code: 'no_http_proof' }, 'a.example.com', false)),
      ]),
    );
  });
});
