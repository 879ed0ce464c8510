import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError, type Problem, takenField } from '@davit/api';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { publicError } from './failure.ts';
import { respondError } from './respond.ts';

const facts = { requestId: 'r', isApi: true, isSecure: false, allowance: null, isReplayed: false };
const typeFor = (accept: string | undefined) =>
  respondError(new DavitError('conflict'), facts, accept).headers.get('content-type');

describe('an error response', () => {
  const text = 'text/plain; charset=utf-8';
  const problem = 'application/problem+json';
  const cases: [accept: string | undefined, type: string][] = [
    [undefined, text],
    ['*/*', text],
    ['application/json', text],
    ['application/*', text],
    [problem, problem],
    ['Application/Problem+JSON', problem],
    [`application/json, ${problem}`, problem],
    [`${problem}, */*`, problem],
    [`${problem};q=0.5, */*`, text],
    [`${problem};q=0`, text],
    [`text/plain, ${problem}`, text],
    [`text/plain;q=0.5, ${problem}`, problem],
  ];
  for (const [accept, type] of cases) {
    it(`has the type ${type.split(';')[0]} for “Accept: ${accept}”`, () => assert.equal(typeFor(accept), type));
  }

  it('is a line of text with the headers for its error code', async () => {
    const response = respondError(new DavitError('too_many_requests', 'Wait.', { retryAfterS: 3 }), facts, undefined);
    assert.equal(response.status, 429);
    assert.equal(await response.text(), 'Wait.\n');
    assert.equal(response.headers.get('retry-after'), '3');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(
      respondError(new DavitError('unauthorized'), facts, undefined).headers.get('www-authenticate'),
      'Bearer',
    );
  });

  it('contains the help page for its code in the problem document', async () => {
    const typeOf = async (error: DavitError) => {
      const document = await respondError(error, facts, 'application/problem+json').json();
      return (document as Problem).type;
    };
    assert.equal(await typeOf(new DavitError('quota_exceeded')), '/help/solve-common-problems#quota-exceeded');
    const taken = takenField('name', 'An app web already exists. Choose another name.');
    assert.equal(await typeOf(taken), '/help/solve-common-problems#name-or-host-taken');
    assert.equal(await typeOf(new DavitError('conflict')), 'about:blank');
  });

  it('does not reveal the message of an unknown error', () => {
    const error = publicError(new Error('SELECT secret FROM table'));
    assert.equal(error.status, 500);
    assert.doesNotMatch(error.message, /secret/);
    assert.equal((error.cause as Error).message, 'SELECT secret FROM table');
    assert.equal(publicError('thrown text').status, 500);
    assert.equal(publicError(undefined).status, 500);
  });

  it('allows a retry if the engine is unavailable or the disk is full', () => {
    assert.equal(publicError(new EngineUnavailable('no answer')).status, 503);
    assert.equal(publicError(Object.assign(new Error('database or disk is full'), { errcode: 13 })).retryAfterS, 30);
  });
});
