import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OrderProblem, orderProblemOf } from './problem.ts';

const found = ['caa', 'connection', 'dns', 'incorrectResponse', 'tls', 'unauthorized'];
const refused = { stage: 'validate', message: 'words of the authority', cause: 'refused', retryAfterS: null } as const;
const problems = (codes: (string | null)[], isPublic: boolean) =>
  new Set(codes.map((code) => textOf(orderProblemOf({ ...refused, code }, 'a.example.com', isPublic))));
const textOf = ({ code, message }: OrderProblem) => `${code}: ${message}`;

describe('certificate order problem', () => {
  it('has detailed reasons for a public certificate authority', () => {
    assert.ok(problems(found, true).size > 4);
  });

  it('hides the validation findings of a private certificate authority', () => {
    const [problem, ...others] = problems([...found, 'serverInternal', null], false);

    assert.match(
      problem ?? '',
      /^validation_failed: The certificate authority could not validate a\.example\.com; find the reason in the log of the instance/,
    );
    assert.deepEqual(others, []);
  });

  it('has the same message for a private authority if the address is irrelevant', () => {
    assert.deepEqual(
      problems(['rateLimited', 'no_http_proof'], true),
      new Set([
        textOf(orderProblemOf({ ...refused, stage: 'order', code: 'rateLimited' }, 'a.example.com', false)),
        textOf(orderProblemOf({ ...refused, code: 'no_http_proof' }, 'a.example.com', false)),
      ]),
    );
  });
});
