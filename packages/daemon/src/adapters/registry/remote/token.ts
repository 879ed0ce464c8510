/**
 * Gets access tokens for another registry. The registry sends the URL of its token service. The daemon sends
 * credentials only to this registry and its token service.
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
  /** URL of the registry that requires the token. */
  registry: URL;
  /** Repository that the daemon wants to read with the token. `null` if the daemon only checks the credentials. */
  repository: string | null;
  auth: RegistryAuth | null;
}

/**
 * Gets a token from the token service.
 * @throws RemoteProblem if the token service rejects the request or does not respond
 */
export async function fetchToken({ challenge, registry, repository, auth, ...rest }: TokenRequest): Promise<string> {
  const url = realmOf(challenge.realm, registry);
  if (challenge.service !== null) url.searchParams.set('service', challenge.service);
  // Requests only the permission to pull from this repository, even if the registry suggests other permissions.
  if (repository !== null) url.searchParams.set('scope', `repository:${repository}:pull`);
  if (auth !== null) url.searchParams.set('account', auth.username);
  const headers = { accept: 'application/json', ...(auth !== null && { authorization: basic(auth) }) };
  const { answer } = await requestFollowing(url, { ...rest, headers });
  if (answer.statusCode !== 200) {
    answer.destroy();
    const problem = problemOfStatus(answer.statusCode ?? 0, `token request to ${url.host}`);
    /*
     * Some token services respond with status 404 if the credentials are wrong. Status 404 therefore does not mean that
     * an image is missing.
     */
    throw problem.code === 'image_not_found' || problem.code === 'registry_answer_invalid'
      ? new RemoteProblem('registry_unauthorized', problem.message)
      : problem;
  }
  return tokenIn(await readAnswerBody(answer, MAX_BYTES, rest.signal), url);
}

/**
 * Parses the URL of a token service.
 * @throws RemoteProblem if it would not be safe to send credentials to the URL
 */
function realmOf(realm: string, registry: URL): URL {
  const url = URL.canParse(realm) ? new URL(realm) : null;
  const isPlain = url?.protocol === 'http:' && registry.protocol === 'http:' && url.host === registry.host;
  const isTls = url?.protocol === 'https:' && registry.protocol === 'https:';
  if (url !== null && (isTls || isPlain) && url.username === '' && url.password === '') return url;
  throw new RemoteProblem(
    'registry_answer_invalid',
    `${registry.host} specifies a token service to which Davit cannot send credentials safely`,
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
  // The token becomes part of an HTTP header, so it must not contain line breaks or other control characters.
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new RemoteProblem('registry_answer_invalid', `${url.host} sent no token`);
}

/** Returns the value of an `Authorization` header for HTTP basic authentication. */
export function basic({ username, password }: RegistryAuth): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
