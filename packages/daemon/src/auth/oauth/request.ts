/**
 * Parses and validates the OAuth authorization request of a client. The request is the query string of the consent
 * page.
 */
import { DavitError, type Role } from '@davit/api';
import { quote } from '@davit/service';
import type { ClientDocument, ClientDocuments } from './client-document.ts';

/** Map from OAuth scope to role, from the lowest to the highest role. */
export const SCOPES = { read: 'viewer', operate: 'member', administer: 'admin' } as const satisfies Record<
  string,
  Role
>;

export interface AuthorizationRequest {
  client: ClientDocument;
  redirectUri: string;
  challenge: string;
  state: string | null;
  resource: string;
  /** Highest role that the client requests. */
  role: Role;
}

/**
 * Parameters of an OAuth authorization request. A request with the same parameter twice is invalid, because its meaning
 * would be unclear.
 */
const NAMES = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const;
type Name = (typeof NAMES)[number];

/**
 * Validates an OAuth authorization request. The client's metadata must contain the redirect URI, so that the
 * authorization code cannot be sent to another URL.
 * @param query query string of the consent page, with or without the question mark
 * @param base base URL of the request, for example `https://davit.example.com`
 * @throws DavitError invalid_input with a message for the user
 */
export async function readRequest(
  query: string,
  base: string,
  documents: ClientDocuments,
): Promise<AuthorizationRequest> {
  const parameters = named(query);
  const client = await documents(demand(parameters, 'client_id'));
  const redirectUri = demand(parameters, 'redirect_uri');
  if (!client.redirectUris.some((uri) => isSame(uri, redirectUri))) {
    throw refused('the “redirect_uri” is not in the client metadata');
  }
  if (demand(parameters, 'response_type') !== 'code') throw refused('the “response_type” must be “code”');
  if (demand(parameters, 'code_challenge_method') !== 'S256')
    throw refused('the “code_challenge_method” must be “S256”');
  const challenge = demand(parameters, 'code_challenge');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw refused('the “code_challenge” must have 43 characters in base64url');
  const resource = parameters.get('resource') ?? resourceOf(base);
  if (resource.replace(/\/$/, '') !== resourceOf(base))
    throw refused(`the “resource” must be ${resourceOf(base)}, but is ${quote(resource)}`);
  const scopes = (parameters.get('scope') ?? 'read').split(' ');
  const role = scopes.includes('administer') ? 'admin' : scopes.includes('operate') ? 'member' : 'viewer';
  return { client, redirectUri, challenge, state: parameters.get('state') ?? null, resource: resourceOf(base), role };
}

/** Returns the URL of the MCP endpoint. OAuth tokens are valid only for this URL. */
export function resourceOf(base: string): string {
  return `${base}/mcp`;
}

/** Returns the URL to which Davit redirects the browser. The URL contains the result of the authorization request. */
export function answerAt(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  base: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', base);
  return url.href;
}

function named(query: string): Map<Name, string> {
  const found = new Map<Name, string>();
  const params = new URLSearchParams(query);
  for (const name of NAMES) {
    const [value, ...more] = params.getAll(name);
    if (more.length > 0) throw refused(`“${name}” is given more than once`);
    if (value !== undefined && value !== '') found.set(name, value);
  }
  return found;
}

function demand(parameters: Map<Name, string>, name: Name): string {
  const value = parameters.get(name);
  if (value === undefined) throw refused(`“${name}” is missing`);
  return value;
}

/** Pattern that finds the port in a loopback URL, for example `:8080` in `http://localhost:8080/`. */
const LOOPBACK_PORT = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/;

/**
 * Returns whether two redirect URIs are equal. The ports of loopback URIs are ignored, because a program on the user's
 * computer listens on any free port.
 */
function isSame(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  return URL.canParse(requested) && withoutPort(registered) === withoutPort(requested);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK_PORT, '$1');
}

function refused(why: string): DavitError {
  return new DavitError(
    'invalid_input',
    `This authorization request is not valid: ${why}. Start again from the client.`,
  );
}
