/**
 * What the instance serves, pinned: moving a route from one list to the other, adding one or dropping one is a
 * deliberate edit here.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ABSENT_ROUTES, allOperations } from '@davit/api';
import { openApiDocument } from '@davit/api/openapi.ts';
import { bootDaemon } from '@davit/testkit';
import { ASSET, builtDashboard } from './support/built-dashboard.ts';
import { servedBy } from './support/order-ground.ts';

const DOCUMENTED = [
  'GET /api/instance',
  'GET /api/projects',
  'POST /api/projects',
  'GET /api/projects/{project}',
  'DELETE /api/projects/{project}',
  'GET /api/projects/{project}/environments',
  'POST /api/projects/{project}/environments',
  'GET /api/projects/{project}/environments/{environment}',
  'DELETE /api/projects/{project}/environments/{environment}',
  'POST /api/projects/{project}/environments/{environment}/promote',
  'GET /api/projects/{project}/env',
  'PATCH /api/projects/{project}/env',
  'PUT /api/projects/{project}/env',
  'GET /api/projects/{project}/environments/{environment}/env',
  'PATCH /api/projects/{project}/environments/{environment}/env',
  'PUT /api/projects/{project}/environments/{environment}/env',
  'GET /api/apps',
  'POST /api/apps',
  'GET /api/apps/{project}/{environment}/{app}',
  'PATCH /api/apps/{project}/{environment}/{app}',
  'PUT /api/apps/{project}/{environment}/{app}',
  'DELETE /api/apps/{project}/{environment}/{app}',
  'GET /api/apps/{project}/{environment}/{app}/env',
  'PATCH /api/apps/{project}/{environment}/{app}/env',
  'PUT /api/apps/{project}/{environment}/{app}/env',
  'GET /api/apps/{project}/{environment}/{app}/volumes',
  'POST /api/apps/{project}/{environment}/{app}/volumes',
  'GET /api/apps/{project}/{environment}/{app}/volumes/{volume}',
  'DELETE /api/apps/{project}/{environment}/{app}/volumes/{volume}',
  'GET /api/apps/{project}/{environment}/{app}/tcp-ports',
  'POST /api/apps/{project}/{environment}/{app}/tcp-ports',
  'GET /api/apps/{project}/{environment}/{app}/tcp-ports/{tcp_port}',
  'DELETE /api/apps/{project}/{environment}/{app}/tcp-ports/{tcp_port}',
  'GET /api/volumes',
  'DELETE /api/volumes/{volume}',
  'POST /api/volumes/{volume}/restore',
  'GET /api/registries',
  'POST /api/registries',
  'GET /api/registries/{registry}',
  'PATCH /api/registries/{registry}',
  'DELETE /api/registries/{registry}',
  'GET /api/dns-providers',
  'POST /api/dns-providers',
  'GET /api/dns-providers/{provider}',
  'PATCH /api/dns-providers/{provider}',
  'DELETE /api/dns-providers/{provider}',
  'GET /api/certificates',
  'POST /api/certificates',
  'GET /api/certificates/authority',
  'PUT /api/certificates/authority/external-account',
  'DELETE /api/certificates/authority/external-account',
  'GET /api/certificates/{certificate}',
  'PUT /api/certificates/{certificate}',
  'DELETE /api/certificates/{certificate}',
  'POST /api/certificates/{certificate}/renew',
  'GET /api/settings',
  'PATCH /api/settings',
  'PUT /api/settings',
  'GET /api/registry',
  'GET /api/registry/repositories',
  'DELETE /api/registry/repositories/{project}/{environment}/{app}',
  'POST /api/registry/collect',
  'GET /api/apps/{project}/{environment}/{app}/releases',
  'GET /api/apps/{project}/{environment}/{app}/releases/{tag}',
  'DELETE /api/apps/{project}/{environment}/{app}/releases/{tag}',
  'GET /api/images',
  'POST /api/images/collect',
  'GET /api/apps/{project}/{environment}/{app}/domains',
  'POST /api/apps/{project}/{environment}/{app}/domains',
  'GET /api/apps/{project}/{environment}/{app}/domains/{domain}',
  'PATCH /api/apps/{project}/{environment}/{app}/domains/{domain}',
  'DELETE /api/apps/{project}/{environment}/{app}/domains/{domain}',
  'POST /api/apps/{project}/{environment}/{app}/deploy',
  'POST /api/apps/{project}/{environment}/{app}/rollback',
  'POST /api/apps/{project}/{environment}/{app}/restart',
  'POST /api/apps/{project}/{environment}/{app}/stop',
  'POST /api/apps/{project}/{environment}/{app}/start',
  'GET /api/apps/{project}/{environment}/{app}/revisions',
  'GET /api/apps/{project}/{environment}/{app}/revisions/{revision}',
  'GET /api/apps/{project}/{environment}/{app}/revisions/{revision}/compare',
  'POST /api/apps/{project}/{environment}/{app}/revisions/{revision}/restore',
  'GET /api/apps/{project}/{environment}/{app}/deployments',
  'GET /api/apps/{project}/{environment}/{app}/deployments/{deployment}',
  'DELETE /api/apps/{project}/{environment}/{app}/deployments/{deployment}',
  'POST /api/apps/{project}/{environment}/{app}/deployments/{deployment}/cancel',
  'GET /api/deployments',
  'GET /api/apps/{project}/{environment}/{app}/logs',
  'POST /api/apps/{project}/{environment}/{app}/run',
  'GET /api/apps/{project}/{environment}/{app}/runs',
  'GET /api/apps/{project}/{environment}/{app}/runs/{run}',
  'POST /api/apps/{project}/{environment}/{app}/runs/{run}/cancel',
  'GET /api/schedule-times',
  'GET /api/apps/{project}/{environment}/{app}/schedules',
  'POST /api/apps/{project}/{environment}/{app}/schedules',
  'GET /api/apps/{project}/{environment}/{app}/schedules/{schedule}',
  'PATCH /api/apps/{project}/{environment}/{app}/schedules/{schedule}',
  'DELETE /api/apps/{project}/{environment}/{app}/schedules/{schedule}',
  'POST /api/apps/{project}/{environment}/{app}/schedules/{schedule}/run',
  'GET /api/apps/{project}/{environment}/{app}/schedules/{schedule}/runs',
  'GET /api/apps/{project}/{environment}/{app}/metrics',
  'GET /api/instance/metrics',
  'GET /api/apps/{project}/{environment}/{app}/deployments/{deployment}/events',
  'GET /api/events',
  'GET /api/users',
  'POST /api/users',
  'GET /api/users/me',
  'GET /api/users/{user}',
  'PATCH /api/users/{user}',
  'DELETE /api/users/{user}',
  'GET /api/users/{user}/api-keys',
  'DELETE /api/users/{user}/api-keys/{key}',
  'GET /api/users/{user}/sessions',
  'DELETE /api/users/{user}/sessions/{session}',
  'GET /api/templates',
  'GET /api/template-tags',
  'GET /api/templates/{owner}/{name}',
  'GET /api/templates/{owner}/{name}/releases',
  'GET /api/templates/{owner}/{name}/manifest',
  'POST /api/templates/{owner}/{name}/installs',
  'POST /api/template-imports',
  'GET /api/template-installs',
  'POST /api/template-installs',
  'GET /api/template-installs/{install}',
  'GET /api/template-installs/{install}/secrets',
  'GET /api/template-installs/{install}/update',
  'POST /api/template-installs/{install}/update',
  'POST /api/template-installs/{install}/rollback',
  'POST /api/template-installs/{install}/uninstall',
  'POST /api/template-installs/{install}/retry',
  'GET /api/database-engines',
  'GET /api/databases',
  'POST /api/databases',
  'GET /api/databases/{project}/{environment}/{database}',
  'PATCH /api/databases/{project}/{environment}/{database}',
  'DELETE /api/databases/{project}/{environment}/{database}',
  'GET /api/databases/{project}/{environment}/{database}/credentials',
  'POST /api/databases/{project}/{environment}/{database}/start',
  'POST /api/databases/{project}/{environment}/{database}/stop',
  'POST /api/databases/{project}/{environment}/{database}/restart',
  'POST /api/databases/{project}/{environment}/{database}/expose',
  'DELETE /api/databases/{project}/{environment}/{database}/expose',
  'GET /api/databases/{project}/{environment}/{database}/logs',
  'GET /api/databases/{project}/{environment}/{database}/metrics',
  'GET /api/trash/databases',
  'POST /api/trash/databases/{trashed}/restore',
  'DELETE /api/trash/databases/{trashed}',
  'GET /api/tasks',
  'GET /api/tasks/{task}',
  'POST /api/tasks/{task}/cancel',
  'GET /api/audit',
  'POST /api/audit/verify',
];

const ABSENT = [
  'GET /api/apps/{project}/{environment}/{app}/shell',
  'GET /api/template-icons/{repository}/{file}',
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/{file}',
  'GET /metrics',
  'GET /',
  'GET /claim',
  'GET /sign-in',
  'GET /projects',
  'GET /projects/{project}',
  'GET /projects/{project}/settings',
  'GET /projects/{project}/{environment}',
  'GET /projects/{project}/{environment}/settings',
  'GET /projects/{project}/{environment}/{app}',
  'GET /projects/{project}/{environment}/{app}/deployments',
  'GET /projects/{project}/{environment}/{app}/deployments/{deployment}',
  'GET /projects/{project}/{environment}/{app}/logs',
  'GET /projects/{project}/{environment}/{app}/terminal',
  'GET /projects/{project}/{environment}/{app}/environment',
  'GET /projects/{project}/{environment}/{app}/settings',
  'GET /registry',
  'GET /certificates',
  'GET /users',
  'GET /users/{user}',
  'GET /audit',
  'GET /settings',
  'GET /account',
  'GET /oauth/authorize',
  'GET /assets/{file}',
  'GET /icon.svg',
  'GET /theme.js',
  'POST /mcp',
  'GET /v2/token',
  'POST /hooks/registry',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /api/oauth/review',
  'POST /api/oauth/consent',
  'GET /api/setup',
  'POST /api/setup',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'GET /api/users/me/api-keys',
  'POST /api/users/me/api-keys',
  'DELETE /api/users/me/api-keys/{key}',
  'POST /api/users/me/api-keys/{key}/rotate',
  'GET /api/users/me/sessions',
  'DELETE /api/users/me/sessions/{session}',
  'GET /api/users/me/connections',
  'DELETE /api/users/me/connections/{connection}',
  'PUT /api/users/me/password',
];

describe('the routes', async () => {
  const built = await builtDashboard();
  const daemon = await bootDaemon({ dashboard: built.dist });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });

  it('that are documented are these', () => {
    const declared = allOperations.map(({ method, path }) => `${method} /api${path}`);
    assert.deepEqual(declared.toSorted(), DOCUMENTED.toSorted());
    const { paths } = openApiDocument('0') as { paths: Record<string, object> };
    const inDocument = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /api${path}`),
    );
    assert.deepEqual(inDocument.toSorted(), DOCUMENTED.toSorted());
  });

  it('that are deliberately absent from the document are these', () => {
    assert.deepEqual([...ABSENT_ROUTES].toSorted(), ABSENT.toSorted());
  });

  it('that are served are the documented and the absent ones, and nothing else', () => {
    const served = servedBy(daemon).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(served.toSorted(), [...DOCUMENTED, ...ABSENT].toSorted());
  });

  it('answer something else than «no such endpoint» when they are served', async () => {
    for (const route of [...DOCUMENTED, ...ABSENT]) {
      const [method = '', template = ''] = route.split(' ');
      const path = template
        .replaceAll(/\{\w+\}/g, 'none')
        .replace('/docs/none', '/docs/page.js')
        .replace('/assets/none', `/assets/${ASSET}`);
      const { text } = await daemon.call(method, path);
      assert.doesNotMatch(text, /no such endpoint/, route);
    }
  });
});
