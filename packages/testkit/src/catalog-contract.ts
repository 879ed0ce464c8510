import { allCatalogOperations, CATALOG_ERRORS, CATALOG_TRANSPORT_ERRORS, CatalogFailure } from '@davit/api/catalog.ts';
import { z } from 'zod';
import { type Answer, strict } from './contract.ts';

const API = '/api/v1';

const matchers = allCatalogOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${API}${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * Checks that an HTTP response of the template catalog follows the API contract. For example, all fields must be
 * declared, and CORS must allow every origin.
 * @throws Error with the difference
 */
export function checkCatalogAnswer(answer: Answer): void {
  const { method, path, status, headers, text } = answer;
  const fail = (problem: string) => {
    throw new Error(`${method} ${path} answered ${status}, ${problem}: ${text.slice(0, 300)}`);
  };
  if (headers.get('access-control-allow-origin') !== '*') fail('not for every origin');
  if (headers.has('access-control-allow-credentials')) fail('with credentials');
  if (headers.get('x-content-type-options') !== 'nosniff') fail('without nosniff');
  const [bare = ''] = path.split('?');
  if (!bare.startsWith('/api')) return;
  if (status >= 400) checkFailure(answer, fail);
  if (status === 304 && (text !== '' || !headers.get('etag'))) fail('which it cannot be');
  if (method === 'HEAD' || status !== 200 || headers.has('content-encoding')) return;
  checkBody(answer, bare, fail);
}

function checkFailure({ method, path, status, headers, text }: Answer, fail: (problem: string) => void): void {
  if (headers.get('content-type') !== 'application/json') fail('an error that is not JSON');
  if (headers.get('cache-control') !== 'no-store') fail('an error that may be kept');
  if (status === 405 && !headers.get('allow')) fail('without Allow');
  if (status === 503 && !/^\d+$/.test(headers.get('retry-after') ?? '')) fail('without Retry-After');
  if (method === 'HEAD') return;
  const { error } = strict(CatalogFailure).parse(JSON.parse(text)) as CatalogFailure;
  if (CATALOG_ERRORS[error.code].status !== status) fail('a code of another status');
  if (!text.endsWith('}\n') || !/^\S.*\.$/.test(error.message)) fail('an error that is no sentence in one line');
  const [bare = ''] = path.split('?');
  const declared: readonly string[] = matchers.find(({ pattern }) => pattern.test(bare))?.operation.errors ?? [
    'not_found',
  ];
  const ofTransport: readonly string[] = CATALOG_TRANSPORT_ERRORS;
  if (!declared.includes(error.code) && !ofTransport.includes(error.code)) fail('an error that is not declared');
}

function checkBody({ method, headers, text }: Answer, path: string, fail: (problem: string) => void): void {
  const found = matchers.find(({ operation, pattern }) => operation.method === method && pattern.test(path));
  // The API contract does not describe the files of the documentation page, so do not check these files.
  if (found === undefined) return;
  const { content } = found.operation.answer;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (!(type in content)) fail(`as ${type}, which its operation does not declare`);
  const schema: z.ZodType | null | undefined = content[type];
  if (!schema) return;
  const result = strict(schema).safeParse(JSON.parse(text));
  if (!result.success) fail(`not in its shape (${z.prettifyError(result.error)})`);
}
