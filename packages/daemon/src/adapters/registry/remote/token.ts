/**
 * Tokens of a registry's token service (the realm). Stored credentials are sent to the registry itself and to the realm
 * that the registry names over TLS. The host of the image selects the credentials, never the host of a realm. A
 * registry therefore cannot obtain the credentials of another registry. A realm may be at a listed private address only
 * if the registry is, too.
 */
import { z } from 'zod';
import type { RegistryAuth } from '../../engine/image.ts';
import type { Challenge } from './challenge.ts';
import { problemOfStatus, RemoteProblem } from './problem.ts';
import { type RemoteRequest, readAnswerBody, requestFollowing } from './request.ts';

const MAX_BYTES = 64 * 1024;
const Answer = z.object({ token: z.string().optional(), access_token: z.string().optional() });

export interface TokenRequest extends Pick<RemoteRequest, 'rules' | 'mayBePrivate' | 'signal'> {
  challenge: Extract<Challenge, { scheme: 'bearer' }>;
  /** Address of the registry that sent the challenge. */
  registry: URL;
  /** Repository to read from, or `null` to check only the credentials. */
  repository: string | null;
  auth: RegistryAuth | null;
}

/** Requests a token. @throws RemoteProblem */
export async function fetchToken({ challenge, registry, repository, auth, ...rest }: TokenRequest): Promise<string> {
  const url = realmOf(challenge.realm, registry);
  if (challenge.service !== null) url.searchParams.set('service', challenge.service);
  // The scope of the challenge is never used, because the daemon only reads from this repository.
  if (repository !== null) url.searchParams.set('scope', `repository:${repository}:pull`);
  if (auth !== null) url.searchParams.set('account', auth.username);
  const headers = { accept: 'application/json', ...(auth !== null && { authorization: basic(auth) }) };
  const { answer } = await requestFollowing(url, { ...rest, headers });
  if (answer.statusCode !== 200) {
    answer.destroy();
    const problem = problemOfStatus(answer.statusCode ?? 0, `a token of ${url.host}`);
    // Token services use several statuses for wrong credentials. No status of a token service means that an image is
    // missing.
    throw problem.code === 'image_not_found' || problem.code === 'registry_answer_invalid'
      ? new RemoteProblem('registry_unauthorized', problem.message)
      : problem;
  }
  return tokenIn(await readAnswerBody(answer, MAX_BYTES, rest.signal), url);
}

/** Returns the URL of a realm. @throws RemoteProblem if sending credentials to the realm is not safe */
function realmOf(realm: string, registry: URL): URL {
  const url = URL.canParse(realm) ? new URL(realm) : null;
  const isPlain = url?.protocol === 'http:' && registry.protocol === 'http:' && url.host === registry.host;
  const isTls = url?.protocol === 'https:' && registry.protocol === 'https:';
  if (url !== null && (isTls || isPlain) && url.username === '' && url.password === '') return url;
  throw new RemoteProblem(
    'registry_answer_invalid',
    `${registry.host} names a token service to which credentials cannot be sent safely`,
  );
}

function tokenIn(body: Buffer, url: URL): string {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    json = null;
  }
  const { data } = Answer.safeParse(json);
  const token = data?.token ?? data?.access_token;
  // The token becomes part of a header, so it must not contain characters that end a header.
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new RemoteProblem('registry_answer_invalid', `${url.host} sent no token`);
}

/** Returns the value of an `Authorization` header. */
export function basic({ username, password }: RegistryAuth): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
