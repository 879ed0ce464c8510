import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ABSENT_ROUTES, type AuditEvent, CALLS } from '@davit/api';
import { csvOf } from './csv.ts';
import { auditQuery } from './filters.ts';
import { pageOfTarget } from './target.ts';
import { operationInWords } from './words.ts';

describe('operationInWords', () => {
  it('names every API operation in plain capitalized words', () => {
    for (const id of Object.keys(CALLS)) assert.match(operationInWords(id), /^[A-Z][a-z]+( [\p{L}’]+)*$/u, id);
  });

  it('returns readable labels for common operations', () => {
    assert.equal(operationInWords('deployApp'), 'Deploy app');
    assert.equal(operationInWords('setAppEnv'), 'Set app variables');
    assert.equal(operationInWords('patchDnsProvider'), 'Change DNS provider');
    assert.equal(operationInWords('revokeUserKey'), 'Revoke user’s API key');
    assert.equal(operationInWords('POST /api/auth/login'), 'Sign in');
  });

  it('labels account routes and returns an unknown route unchanged', () => {
    for (const route of ABSENT_ROUTES.filter((one) => /\/api\/(users|auth|setup|oauth)/.test(one))) {
      assert.doesNotMatch(operationInWords(route), /\//, route);
    }
    assert.equal(operationInWords('BREW /coffee'), 'BREW /coffee');
  });
});

it('links an audit target to the page of its resource', () => {
  const cases: [operation: string, target: string, page: string | null][] = [
    ['deployApp', 'shop/production/web', '/projects/shop/production/web'],
    ['cancelDeployment', 'shop/production/web/deployments/7', '/projects/shop/production/web/deployments/7'],
    ['removeDomain', 'shop/production/web/domains/3', '/projects/shop/production/web'],
    ['createEnvironment', 'shop', '/projects/shop'],
    ['deleteEnvironment', 'shop/staging', '/projects/shop/staging'],
    ['createProject', 'shop', '/projects/shop'],
    ['patchUser', 'ada', '/users/ada'],
    ['revokeUserKey', 'ada/4', '/users/ada'],
    ['patchSettings', '', '/settings'],
    ['addDnsProvider', 'cloud', '/certificates?tab=dns'],
    ['PUT /api/users/me/password', '', null],
    ['POST /api/auth/login', 'ada', null],
    ['unknown', '', null],
  ];
  for (const [operation, target, page] of cases) assert.equal(pageOfTarget(operation, target), page, operation);
});

describe('auditQuery', () => {
  it('passes filters of the page URL to the API query', () => {
    const search = { user: 'ada', via: 'cli', outcome: 'refused', target: 'shop', before: '90', tab: 'x' };
    const { before, ...filters } = auditQuery(search);
    assert.deepEqual(filters, { user: 'ada', via: 'cli', outcome: 'refused', target: 'shop', limit: '50' });
    assert.equal(before, '90');
  });

  it('expands dates to whole days in the browser’s time zone', () => {
    const { from, to } = auditQuery({ from: '2026-11-01', to: '2026-11-02' });
    assert.equal(from, new Date(2026, 10, 1).toISOString());
    assert.equal(to, new Date(2026, 10, 2, 23, 59, 59, 999).toISOString());
  });

  it('omits filters with invalid values', () => {
    assert.deepEqual(auditQuery({ via: 'smoke', outcome: 'odd', from: 'soon', before: 'x', user: '' }), {
      limit: '50',
    });
  });
});

it('exports audit rows as CSV and neutralizes spreadsheet formulas', () => {
  const row: AuditEvent = {
    id: 1,
    at: '2026-11-01T00:00:00.000Z',
    actor: '=cmd()',
    key: { id: 2, name: 'a "b", c' },
    via: 'cli',
    ip: '192.0.2.1',
    operation: 'deployApp',
    target: 'shop/production/web',
    outcome: 'ok',
    status: 202,
    times: 1,
    request_id: null,
    hash: 'abc',
  };
  const [head, line, end] = csvOf([row]).split('\r\n');
  assert.equal(head?.split(',').length, 13);
  assert.match(line ?? '', /^1,2026-11-01T00:00:00\.000Z,'=cmd\(\),"a ""b"", c",cli,192\.0\.2\.1,deployApp,/);
  assert.equal(end, '');
});
