import { ABSENT_ROUTES, allOperations, ERRORS, type ErrorCode, errorsOf, type Operation, Problem } from '@davit/api';
import { z } from 'zod';

/** HTTP response with the method and path of its request. A test checks the response against the API contract. */
export interface Answer {
  method: string;
  /** Path of the HTTP request, including its query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

const ERROR_STATUSES: number[] = Object.values(ERRORS).map(({ status }) => status);
/**
 * HTTP status codes for invalid requests. Every endpoint can return these status codes, for example if the headers are
 * too large.
 */
const OF_THE_TRANSPORT = [400, 405, 408, 413, 415, 417, 431];

/**
 * Checks that an HTTP response of the daemon follows the API contract. All fields must be declared. An error must be
 * one sentence or a problem document.
 * @throws Error with the difference
 */
export function checkAnswer(answer: Answer): void {
  const { method, path, status, headers, text } = answer;
  const fail = (problem: string) => {
    throw new Error(`${method} ${path} answered ${status}, ${problem}: ${text.slice(0, 300)}`);
  };
  if (!headers.get('x-request-id')) fail('without a request id');
  if (!headers.get('davit-version')) fail('without a version');
  if (headers.get('x-content-type-options') !== 'nosniff') fail('without nosniff');
  if (method === 'HEAD') return;
  const operation = operationOf(method, path);
  if (status >= 400) {
    const code = checkError(answer, fail);
    if (operation && !mayAnswer(operation, status)) fail('an error that its operation does not declare');
    if (operation && code !== null && !mayRefuse(operation, code))
      fail(`the code ${code}, which its operation does not declare`);
    return;
  }
  if (!operation) return;
  if (status === 304) {
    if (method !== 'GET' || text !== '' || !headers.get('etag')) fail('which it cannot be');
    return;
  }
  const declared = operation.responses[status];
  if (!declared) {
    fail('which its operation does not declare');
    return;
  }
  const { contentType, json, events } = declared;
  const answered = headers.get('content-type')?.split(';')[0];
  if (events && answered === 'text/event-stream') return;
  const isJsonInstead = json !== undefined && answered === 'application/json';
  const schema = isJsonInstead ? json : declared.schema;
  if (!schema) {
    if (text !== '') fail('with a body that is not declared');
    return;
  }
  const type = isJsonInstead ? answered : (contentType ?? 'application/json');
  if (answered !== type) fail(`not as ${type}`);
  if (type !== 'application/json') return;
  const result = strict(schema).safeParse(JSON.parse(text));
  if (!result.success) fail(`not in its shape (${z.prettifyError(result.error)})`);
}

/** Endpoints of the Docker registry. The errors of these endpoints have the format of the registry protocol. */
const REGISTRY_TOKEN = /^\/v2\/token(?:\?|$)/;
const REGISTRY = /^\/v2\/(?:token|.+\/tags\/list)(?:\?|$)/;
/** OAuth endpoints whose errors have the format of the OAuth protocol. */
const OAUTH = /^\/oauth\/(?:token|revoke)(?:\?|$)/;
/** MCP endpoint. The errors of this endpoint have the format of JSON-RPC. */
const MCP = /^\/mcp(?:\?|$)/;

/**
 * Checks an error response of the daemon.
 * @returns the error code of a problem document, or `null` for an error in another format
 */
function checkError(answer: Answer, fail: (problem: string) => void): ErrorCode | null {
  if (!ERROR_STATUSES.includes(answer.status)) fail('a status that nothing declares');
  if (answer.headers.get('content-type') === 'application/problem+json') return checkProblem(answer, fail);
  checkText(answer, fail);
  return null;
}

function checkProblem({ status, text }: Answer, fail: (problem: string) => void): ErrorCode | null {
  const result = strict(Problem).safeParse(JSON.parse(text));
  if (!result.success) {
    fail(`no problem document (${z.prettifyError(result.error)})`);
    return null;
  }
  const problem = result.data as Problem;
  if (problem.status !== status || ERRORS[problem.code].status !== status) fail('a problem document of another status');
  for (const { path, message } of problem.fields) {
    if (!/^\S[^\n]*[.:”?]$/.test(message)) fail(`no sentence for ${path}`);
    if (path !== '' && message.startsWith(`${path}: `)) fail(`a sentence that names its field, ${path}`);
  }
  return problem.code;
}

function checkText(answer: Answer, fail: (problem: string) => void): void {
  const { path, status, headers, text } = answer;
  const type = headers.get('content-type');
  if (REGISTRY.test(path) && type === 'application/json') {
    checkRegistryError(answer, fail);
    return;
  }
  const isAgents = MCP.test(path);
  if (isAgents && type === 'application/json' && /"jsonrpc":"2.0"/.test(text)) return;
  if (OAUTH.test(path) && status === 400 && type === 'application/json') return;
  // An HTML response is allowed here. For an unknown path outside `/api/`, browsers get a page of the dashboard.
  if (status === 404 && type === 'text/html; charset=utf-8' && !path.startsWith('/api/')) return;
  if (type !== 'text/plain; charset=utf-8') fail(`an error as ${type}`);
  if (!/^\S[^\n]*[.:”?]\n$/.test(text)) fail('an error that is no sentence in one line');
  if (/\bat .*:\d+:\d+/.test(text)) fail('an error with a stack');
  const challenge = headers.get('www-authenticate');
  const isChallengeValid =
    challenge === 'Bearer' || (isAgents && /^Bearer (?:resource_metadata|error)="/.test(challenge ?? ''));
  if (status === 401 && !isChallengeValid) fail('without WWW-Authenticate');
}

/**
 * Checks an error response in the format of the registry protocol. The response must contain one error with a code. The
 * Docker registry sends the errors of tag lists. Davit sends the errors of the token endpoint.
 */
function checkRegistryError({ path, status, headers, text }: Answer, fail: (problem: string) => void): void {
  const { errors } = JSON.parse(text) as { errors: { code: string; message: string }[] };
  const isOwn = REGISTRY_TOKEN.test(path);
  if (errors.length !== 1) fail('not with one error');
  for (const { code, message } of errors) {
    if (!/^[A-Z_]+$/.test(code)) fail('a code that the registry protocol does not have');
    const isSentence = isOwn ? /^\S[^\n]*[.:”?]$/ : /^\S[^\n]*$/;
    if (!isSentence.test(message)) fail('an error that is no sentence in one line');
  }
  const challenge = headers.get('www-authenticate') ?? '';
  if (status === 401 && !(isOwn ? /^Basic realm="davit"$/ : /^Bearer realm="/).test(challenge))
    fail('without WWW-Authenticate');
}

function mayAnswer(operation: Operation, status: number): boolean {
  return OF_THE_TRANSPORT.includes(status) || errorsOf(operation).some((code) => ERRORS[code].status === status);
}

/**
 * Error codes that every endpoint can return. These errors are about the request, for example a body with invalid JSON
 * or a wrong `Origin` header.
 */
const CODES_OF_ANY: readonly ErrorCode[] = ['bad_request', 'invalid_json', 'no_such_route'];

function mayRefuse(operation: Operation, code: ErrorCode): boolean {
  const { status } = ERRORS[code];
  return (
    CODES_OF_ANY.includes(code) ||
    errorsOf(operation).includes(code) ||
    (status !== 400 && OF_THE_TRANSPORT.includes(status))
  );
}

/**
 * Sort routes with fewer parameters first. Otherwise, a path could match a route with a parameter instead of a fixed
 * route.
 */
const matchers = [
  ...ABSENT_ROUTES.map((route) => ({ route, operation: undefined })),
  ...allOperations.map((operation) => ({ route: `${operation.method} /api${operation.path}`, operation })),
]
  .map(({ route, operation }) => ({
    operation,
    pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    parameters: route.split('{').length - 1,
  }))
  .toSorted((a, b) => a.parameters - b.parameters);

/**
 * Returns the operation of the API contract for an HTTP method and a path. The path may contain a query. Returns
 * `undefined` if no operation matches.
 */
export function operationOf(method: string, path: string): Operation | undefined {
  const [bare = ''] = path.split('?');
  return matchers.find(({ pattern }) => pattern.test(`${method} ${bare}`))?.operation;
}

const strictForms = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Returns a Zod schema that rejects unknown fields, because the API contract must declare every field of a response.
 */
export function strict(schema: z.ZodType): z.ZodType {
  const known = strictForms.get(schema);
  if (known) return known;
  const form = strictForm(schema);
  strictForms.set(schema, form);
  return form;
}

function strictForm(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([name, field]) => [name, strict(field as z.ZodType)]);
    return z.strictObject(Object.fromEntries(shape));
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType));
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => strict(option as z.ZodType)));
  /*
   * Ignore a default value in a Zod schema, because the default applies only to requests. A response must always
   * contain the field.
   */
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return strict(schema.unwrap() as z.ZodType);
  return schema;
}
