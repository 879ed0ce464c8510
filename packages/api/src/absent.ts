import { PAGES } from './pages.ts';

/**
 * HTTP routes that the OpenAPI document intentionally omits. Every other route must be declared as an API operation.
 * Otherwise, the daemon refuses to register the route.
 */
export const ABSENT_ROUTES = [
  'GET /healthz',
  'GET /readyz',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/{file}',
  'GET /metrics',
  ...PAGES.map((page) => `GET ${page}` as const),
  'GET /assets/{file}',
  'GET /icon.svg',
  'GET /theme.js',
  'POST /mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /api/oauth/review',
  'POST /api/oauth/consent',
  'GET /v2/token',
  'GET /v2/{project}/{environment}/{app}/tags/list',
  'POST /hooks/registry',
  'GET /api/apps/{project}/{environment}/{app}/shell',
  'GET /api/databases/{project}/{environment}/{database}/shell',
  'GET /api/apps/{project}/{environment}/{app}/tunnel',
  'GET /api/databases/{project}/{environment}/{database}/tunnel',
  'GET /api/template-icons/{repository}/{file}',
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
] as const;

export type AbsentRoute = (typeof ABSENT_ROUTES)[number];
