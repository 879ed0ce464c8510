/**
 * OAuth 2.1 endpoints, with which a user allows a client to act on the user's behalf. There are endpoints for discovery
 * metadata, for tokens, and for the dashboard's consent page.
 */
import { AuthorizationReview, Consent } from '@davit/api';
import type { Accounts } from '../../auth/accounts.ts';
import { callerAddress, requestBaseUrl } from '../../auth/facts.ts';
import {
  type ConsentParts,
  decideConsent,
  endConnection,
  listConnections,
  reviewAuthorization,
} from '../../auth/oauth/consent.ts';
import { resourceOf, SCOPES } from '../../auth/oauth/request.ts';
import { exchangeCode, refreshTokens, revokeToken, TokenRefused } from '../../auth/oauth/tokens.ts';
import { pathNumber } from '../../input/path-number.ts';
import { noContent, ok, type Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';
import { announcesBody, readBody } from '../request/body.ts';
import { demandOwnHost } from '../request/own-host.ts';

export interface OAuthParts extends ConsentParts {
  accounts: Accounts;
  domain: () => string;
}

const FORM_BYTES = 16 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i;
const NOT_KEPT = { 'cache-control': 'no-store' };
/**
 * Headers of the OAuth discovery metadata. The metadata is public, and any origin may read it, because some OAuth
 * clients run in a browser.
 */
const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };

export function oauthEndpoints(parts: OAuthParts): Endpoint[] {
  return [...metadataEndpoints(parts), ...tokenEndpoints(parts), ...personEndpoints(parts)];
}

/**
 * Attributes of the `WWW-Authenticate` header for an invalid bearer token (RFC 6750). The text must be ASCII, as in
 * every HTTP header.
 */
const INVALID_TOKEN =
  'error="invalid_token", error_description="The API key or OAuth token is malformed, unknown, revoked or expired, or its user is blocked."';

/**
 * Returns the `WWW-Authenticate` header for an MCP client without a valid credential. The header contains the URL of
 * the OAuth metadata, except on the local Unix socket, which has no URL. If the client sent a bearer token, the header
 * says that the token is not valid.
 */
export function challengeAt(exchange: Exchange, domain: string): string {
  const attributes: string[] = [];
  if (!exchange.local) {
    const base = baseOf(exchange, domain);
    attributes.push(`resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`);
  }
  if (/^bearer(?: |$)/i.test(exchange.headers.authorization ?? '')) attributes.push(INVALID_TOKEN);
  return ['Bearer', attributes.join(', ')].filter((part) => part !== '').join(' ');
}

function metadataEndpoints({ domain }: OAuthParts): Endpoint[] {
  const resource = ({ exchange }: { exchange: Exchange }): Reply => {
    const base = baseOf(exchange, domain());
    const body = {
      resource: resourceOf(base),
      resource_name: 'Davit',
      authorization_servers: [base],
      scopes_supported: Object.keys(SCOPES),
      bearer_methods_supported: ['header'],
      resource_documentation: `${base}/docs`,
    };
    return { status: 200, body, headers: PUBLIC };
  };
  return [
    absentEndpoint('GET /.well-known/oauth-protected-resource', { access: 'open' }, resource),
    absentEndpoint('GET /.well-known/oauth-protected-resource/mcp', { access: 'open' }, resource),
    absentEndpoint('GET /.well-known/oauth-authorization-server', { access: 'open' }, ({ exchange }) => ({
      status: 200,
      body: serverMetadata(baseOf(exchange, domain())),
      headers: PUBLIC,
    })),
  ];
}

function serverMetadata(base: string) {
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    revocation_endpoint: `${base}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: Object.keys(SCOPES),
  };
}

function tokenEndpoints(parts: OAuthParts): Endpoint[] {
  const pace = (exchange: Exchange) => parts.accounts.pace(callerAddress(exchange));
  return [
    absentEndpoint('POST /oauth/token', { access: 'open', raw: true, pace }, async ({ exchange }) => {
      try {
        return { status: 200, body: tokens(parts, await formOf(exchange)), headers: NOT_KEPT };
      } catch (error) {
        return refusal(error);
      }
    }),
    absentEndpoint('POST /oauth/revoke', { access: 'open', raw: true, pace }, async ({ exchange }) => {
      try {
        revokeToken(parts, (await formOf(exchange)).get('token') ?? '');
        return { status: 200, headers: NOT_KEPT };
      } catch (error) {
        return refusal(error);
      }
    }),
  ];
}

function tokens(parts: OAuthParts, form: Map<string, string>) {
  const of = (name: string) => form.get(name) ?? null;
  switch (of('grant_type')) {
    case 'authorization_code':
      return exchangeCode(parts, {
        code: of('code'),
        verifier: of('code_verifier'),
        clientId: of('client_id'),
        redirectUri: of('redirect_uri'),
        resource: of('resource'),
      });
    case 'refresh_token':
      return refreshTokens(parts, of('refresh_token'), of('client_id'));
    case null:
      throw new TokenRefused('invalid_request', 'The field “grant_type” is missing.');
    default:
      throw new TokenRefused(
        'unsupported_grant_type',
        'The field “grant_type” must be authorization_code or refresh_token.',
      );
  }
}

/**
 * Parses the form in the body of an OAuth request.
 * @throws TokenRefused if the body is not a form or contains a field twice
 * @throws DavitError if the body is too large
 */
async function formOf(exchange: Exchange): Promise<Map<string, string>> {
  const { headers, incoming } = exchange;
  if (!FORM_TYPE.test(headers['content-type']?.trim() ?? '') || !announcesBody(headers)) {
    throw new TokenRefused('invalid_request', 'The body must have the type application/x-www-form-urlencoded.');
  }
  const fields = [...new URLSearchParams((await readBody(incoming, FORM_BYTES)).toString('utf8'))];
  const form = new Map(fields);
  if (form.size < fields.length) throw new TokenRefused('invalid_request', 'The body has the same field twice.');
  return form;
}

/** Returns an error response in the OAuth format. */
function refusal(error: unknown): Reply {
  if (!(error instanceof TokenRefused)) throw error;
  const body = { error: error.code, error_description: error.message };
  return { status: 400, body, headers: NOT_KEPT };
}

function personEndpoints(parts: OAuthParts): Endpoint[] {
  const base = (exchange: Exchange) => baseOf(exchange, parts.domain());
  return [
    absentEndpoint(
      'POST /api/oauth/review',
      { access: 'caller', body: AuthorizationReview },
      async ({ exchange, body }) =>
        ok(await reviewAuthorization(parts, exchange.signedIn, body.request, base(exchange))),
    ),
    absentEndpoint('POST /api/oauth/consent', { access: 'caller', body: Consent }, async ({ exchange, body }) =>
      ok(await decideConsent(parts, exchange.signedIn, body, base(exchange))),
    ),
    absentEndpoint('GET /api/users/me/connections', { access: 'caller', compresses: true }, ({ exchange }) =>
      ok(listConnections(parts, exchange.signedIn)),
    ),
    absentEndpoint(
      'DELETE /api/users/me/connections/{connection}',
      { access: 'caller', success: 204 },
      ({ exchange, params }) => {
        endConnection(parts, exchange.signedIn, pathNumber(params.connection));
        return noContent();
      },
    ),
  ];
}

/**
 * Returns the base URL of the request. OAuth tokens are valid only for this URL.
 * @throws DavitError cross_site if the host does not belong to the instance
 */
function baseOf(exchange: Exchange, domain: string): string {
  demandOwnHost(exchange.headers.host, domain);
  return requestBaseUrl(exchange);
}
