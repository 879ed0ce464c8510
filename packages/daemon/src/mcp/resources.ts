/**
 * MCP resources that clients read by URI: the OpenAPI document, and the state and latest log lines of each app that
 * the user can see.
 */
import type { App, DavitError, LogLines } from '@davit/api';
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { InnerAnswer } from '../http/inner.ts';
import { VERSION } from '../version.ts';
import type { McpCaller } from './caller.ts';
import { asData, logText, sanitize } from './data.ts';
import { errorData } from './error-data.ts';
import { secretsOfTarget } from './secrets.ts';

const DOCUMENT = 'davit://openapi.json';
const APPS = 'davit://apps/';
const ADDRESS = /^davit:\/\/apps\/([a-z0-9-]+)\/([a-z0-9-]+)\/([a-z0-9-]+)(\/logs)?$/;
const APPS_A_PAGE = 100;
const LINES = '200';

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${APPS}{project}/{environment}/{app}`,
    name: 'app',
    title: 'State of an app',
    mimeType: 'application/json',
  },
  {
    uriTemplate: `${APPS}{project}/{environment}/{app}/logs`,
    name: 'logs',
    title: 'Latest log lines of an app',
    mimeType: 'text/plain',
  },
];

export async function listResources(caller: McpCaller, cursor: string | undefined): Promise<ListResourcesResult> {
  const query = { limit: String(APPS_A_PAGE), ...(cursor !== undefined && { cursor }) };
  const { reply } = successful(await caller.ask({ operation: 'listApps', path: '/api/apps', query }));
  const references = (reply.body as App[]).map(({ project, environment, name }) => `${project}/${environment}/${name}`);
  const apps = references.flatMap((reference) => [
    { uri: `${APPS}${reference}`, name: reference, title: `State of ${reference}`, mimeType: 'application/json' },
    {
      uri: `${APPS}${reference}/logs`,
      name: `${reference}/logs`,
      title: `Latest log lines of ${reference}`,
      mimeType: 'text/plain',
    },
  ]);
  const document = {
    uri: DOCUMENT,
    name: 'openapi.json',
    title: 'API of this instance',
    mimeType: 'application/json',
  };
  return {
    resources: cursor === undefined ? [document, ...apps] : apps,
    ...(reply.next && { nextCursor: reply.next }),
  };
}

export async function readResource(caller: McpCaller, uri: string): Promise<ReadResourceResult> {
  if (uri === DOCUMENT) return { contents: [{ uri, mimeType: 'application/json', text: await apiDocument() }] };
  const [, project, environment, app, logs] = ADDRESS.exec(uri) ?? [];
  if (app === undefined) throw missing(uri);
  const path = `/api/apps/${project}/${environment}/${app}`;
  const answer = await caller.watched(() =>
    logs === undefined
      ? caller.ask({ operation: 'getApp', path, query: {} })
      : caller.ask({ operation: 'getAppLogs', path: `${path}/logs`, query: { format: 'json', limit: LINES } }),
  );
  if (answer.error?.code === 'not_found') throw missing(uri);
  const { reply, exchange } = successful(answer);
  const shown = sanitize(reply.body, secretsOfTarget(caller.core, exchange));
  if (logs === undefined)
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(shown.value) }] };
  const { lines } = shown.value as LogLines;
  return { contents: [{ uri, mimeType: 'text/plain', text: asData(logText(lines), shown) }] };
}

let document: Promise<string> | undefined;

function apiDocument(): Promise<string> {
  // Generate the OpenAPI document at the first request, because most instances never receive such a request.
  document ??= import('@davit/api/openapi.ts').then(({ openApiDocument }) => JSON.stringify(openApiDocument(VERSION)));
  return document;
}

/**
 * Returns the body of a successful API response.
 * @throws ProtocolError with the code and message of a failed API response
 */
function successful(answer: InnerAnswer): Extract<InnerAnswer, { error?: undefined }> {
  if (answer.error === undefined) return answer;
  const { status, code, message }: DavitError = answer.error;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${status} ${code}: ${message}`, errorData(answer.error));
}

function missing(uri: string): ProtocolError {
  return new ResourceNotFoundError(
    uri.slice(0, 200),
    'This resource does not exist, or you cannot access it. List the resources with resources/list.',
  );
}
