import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AbsentRoute, type Operation, operations } from '@davit/api';
import { pathOf, queryOf } from '@davit/service';
import { absentEndpoint, operationEndpoint } from './endpoint.ts';
import { ORDER } from './pipeline.ts';
import { decodeSegment } from './request/target.ts';

it('requests are checked in the expected order', () => {
  assert.deepEqual(
    ORDER.map(({ name, answers }) => [name, ...answers]),
    [
      ['accepting', 503],
      ['signed in', 401],
      ['within limits', 429],
      ['same origin', 403],
      ['known', 404, 405, 400],
      ['media type', 415],
      ['size', 413],
      ['still signed in', 401],
      ['JSON', 400],
      ['visible and allowed', 404, 403],
      ['fields', 400],
    ],
  );
});

it('an endpoint that neither the contract nor the list of absent routes contains cannot be registered', () => {
  const handler = () => ({ status: 200 });
  const stray = 'GET /debug' as AbsentRoute;
  assert.throws(
    () => absentEndpoint(stray, { access: 'open' }, handler),
    /neither an operation nor in the list ABSENT_ROUTES/,
  );
  const made: Operation = { ...operations.getApp, id: 'getAppSecretly' };
  assert.throws(() => operationEndpoint({ operation: made, handler }), /not in the contract/);
});

it('pathOf, queryOf and decodeSegment read the request target without normalization', () => {
  assert.equal(pathOf('/a/../b%2fc?x=/?'), '/a/../b%2fc');
  assert.equal(pathOf('http://davit.test/a?x'), '/a');
  assert.equal(pathOf('HTTP://davit.test'), '/');
  assert.equal(pathOf('*'), '*');
  assert.equal(queryOf('/a?x=1?&y'), 'x=1?&y');
  assert.equal(decodeSegment('a%2fb%2541'), 'a/b%41');
  for (const segment of ['%', '%zz', '%c3%28']) assert.throws(() => decodeSegment(segment), { code: 'bad_request' });
});
