import { createHash } from 'node:crypto';

/** What is sent back, before headers that every answer has. */
export interface GitHubAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** The only type of an answer that is not the raw content of a file. */
const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonAnswer(status: number, document: unknown, headers: Record<string, string> = {}): GitHubAnswer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(document) };
}

/** An error of the REST API. */
export function errorAnswer(
  status: number,
  message: string,
  page = 'rest',
  headers: Record<string, string> = {},
): GitHubAnswer {
  const documentation = `https://docs.github.com/${page}`;
  return jsonAnswer(status, { message, documentation_url: documentation, status: String(status) }, headers);
}

/** A good answer to a GET, or that nothing has changed. */
export function withTag(answer: GitHubAnswer, ifNoneMatch: string | undefined): GitHubAnswer {
  const etag = `"${createHash('sha256').update(answer.body).digest('hex')}"`;
  if (ifNoneMatch === etag) return { status: 304, headers: { etag }, body: '' };
  return { ...answer, headers: { ...answer.headers, etag } };
}
