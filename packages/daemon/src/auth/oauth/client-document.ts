/**
 * Fetches the metadata of OAuth clients. The client ID is the URL of the metadata. Anyone can choose this URL, so Davit
 * must not connect to private networks.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { DavitError } from '@davit/api';
import { type AddressRule, allowsHost, guardedLookup, responseTo } from '@davit/service';
import { z } from 'zod';

export interface ClientDocument {
  id: string;
  name: string;
  redirectUris: readonly string[];
}

/**
 * Fetches the metadata of a client.
 * @param id client ID, which is the URL of the metadata
 * @throws DavitError invalid_input with the reason
 */
export type ClientDocuments = (id: string) => Promise<ClientDocument>;

export interface FetchOptions {
  /** Returns whether the daemon may connect to an IP address. */
  mayAsk: AddressRule;
  /** Trusted TLS certificates in PEM format. They replace the default certificates. */
  ca?: string;
}

const MOST_BYTES = 10 * 1024;
const DEADLINE_MS = 5_000;
const KEPT = 100;
const KEPT_MS = 10 * 60_000;
const ID_LENGTH = 2_048;
const NAME_LENGTH = 100;

/**
 * Required media type of client metadata. Many sites let users upload texts or images, and attackers could upload false
 * metadata there.
 */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

const Document = z.object({
  client_id: z.string(),
  client_name: z.string().min(1).optional(),
  redirect_uris: z.array(z.string().max(ID_LENGTH)).min(1).max(50),
  token_endpoint_auth_method: z.literal('none').optional(),
});

/**
 * Creates a function that downloads the metadata of an OAuth client over HTTPS. The metadata is cached for ten minutes.
 */
export function createClientDocuments(now: () => number, options: FetchOptions): ClientDocuments {
  const known = new Map<string, { document: ClientDocument; until: number }>();
  return async (id) => {
    const kept = known.get(id);
    if (kept !== undefined && kept.until > now()) return kept.document;
    const document = parse(id, await fetchText(clientAddress(id), options));
    const [oldest] = known.keys();
    if (known.size >= KEPT && oldest !== undefined) known.delete(oldest);
    known.set(id, { document, until: now() + KEPT_MS });
    return document;
  };
}

/**
 * Parses a client ID as a URL.
 * @throws DavitError invalid_input if the client ID is not a normalized HTTPS URL with a path
 */
function clientAddress(id: string): URL {
  const url = id.length <= ID_LENGTH && URL.canParse(id) ? new URL(id) : null;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
  if (url === null || !isPlain || url.pathname === '/' || url.href !== id) {
    throw refused('the “client_id” must be an https URL with a path, such as https://example.com/client.json');
  }
  return url;
}

async function fetchText(url: URL, { mayAsk: allowsAddress, ca }: FetchOptions): Promise<string> {
  if (!allowsHost(url, allowsAddress))
    throw refused('the host in the “client_id” is a private address or an address of this server');
  const clientRequest = get(url, {
    headers: { accept: 'application/json', 'user-agent': 'Davit' },
    lookup: guardedLookup({ allows: allowsAddress, refusal: () => new Error('the address is not public') }),
    agent: false,
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...(ca !== undefined && { ca }),
  });
  try {
    return await textOf(await answerTo(clientRequest, url.host), url.host);
  } finally {
    clientRequest.destroy();
  }
}

async function answerTo(clientRequest: ClientRequest, host: string): Promise<IncomingMessage> {
  const answer = await responseTo(clientRequest).catch((cause: Error) => {
    throw unreadable(host, cause);
  });
  if (answer.statusCode !== 200)
    throw refused(`the request for the client metadata at ${host} returned status ${answer.statusCode}`);
  if (JSON_TYPE.test(answer.headers['content-type'] ?? '')) return answer;
  throw refused(`the client metadata at ${host} does not have the type “application/json”`);
}

async function textOf(answer: IncomingMessage, host: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > MOST_BYTES) break;
      parts.push(part);
    }
  } catch (cause) {
    throw unreadable(host, cause);
  }
  if (size > MOST_BYTES) throw refused(`the client metadata is larger than ${MOST_BYTES / 1024} KiB`);
  return Buffer.concat(parts).toString('utf8');
}

function parse(id: string, text: string): ClientDocument {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refused('the client metadata is not JSON');
  }
  const { success, data } = Document.safeParse(json);
  if (!success) throw refused('the client metadata must have “client_id” and “redirect_uris”, and no client secret');
  if (data.client_id !== id) throw refused('the client metadata must contain the same “client_id” URL as the request');
  const wrong = data.redirect_uris.find((uri) => !isRedirect(uri));
  if (wrong !== undefined) throw refused('the “redirect_uris” must be https URLs, or http URLs of localhost');
  const name = (data.client_name ?? new URL(id).host)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, ' ')
    .trim();
  return { id, name: name.slice(0, NAME_LENGTH) || new URL(id).host, redirectUris: data.redirect_uris };
}

/** Returns whether a redirect URI uses HTTPS, or refers to a program on the user's own computer. */
function isRedirect(uri: string): boolean {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url);
}

/**
 * Returns whether a URL refers to the user's own computer (loopback). Any port is allowed, because a client can choose
 * any free port.
 */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * Returns the error for a connection problem. All connection problems have the same error, because different errors
 * could reveal hosts and services of the private network.
 */
function unreadable(host: string, cause?: unknown): DavitError {
  const how =
    'Check that this host has a public address and a trusted certificate, or connect the client with an API key';
  return refused(`the client metadata at ${host} could not be read. ${how}`, cause);
}

function refused(why: string, cause?: unknown): DavitError {
  return new DavitError('invalid_input', `This client cannot be connected: ${why}.`, { cause });
}
