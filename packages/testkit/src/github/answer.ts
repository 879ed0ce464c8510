import { createHash } from 'node:crypto';

/** Response of the simulated GitHub, without the headers that are the same for all responses. */
export interface GitHubAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Content type of all responses of the simulated GitHub, except raw files. */
const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(status: number, document: unknown, headers: Record<string, string> = {}): GitHubAnswer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(document) };
}

/** Returns an error response of the simulated GitHub REST API. */
export function errorAnswer(
  status: number,
  message: string,
  page = 'rest',
  headers: Record<string, string> = {},
): GitHubAnswer {
  const documentation = `https://docs.github.com/${page}`;
  return jsonAnswer(status, { message, documentation_url: documentation, status: String(status) }, headers);
}

/**
 * Adds an ETag to a successful response to a GET request. If the client already has the current version, the status is
 * 304.
 */
export function withTag(answer: GitHubAnswer, ifNoneMatch: string | undefined): GitHubAnswer {
  const etag = `"${createHash('sha256').update(answer.body).digest('hex')}"`;
  if (ifNoneMatch === etag) return { status: 304, headers: { etag }, body: '' };
  return { ...answer, headers: { ...answer.headers, etag } };
}
