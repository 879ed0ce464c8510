/**
 * Tokens of a registry's token service (the realm). The stored credentials of a registry are sent to the registry itself
 * and to the realm that it names in an answer over TLS. They are chosen by the host of the image and never by the host of
 * a realm, so a registry cannot obtain the credentials of another one. A realm is private only if the registry is.
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
  /** `null`: only the credentials are checked. */
  repository: string | null;
  auth: RegistryAuth | null;
}

/** @throws RemoteProblem */
export async function fetchToken({ challenge, registry, repository, auth, ...rest }: TokenRequest): Promise<string> {
  const url = realmOf(challenge.realm, registry);
  if (challenge.service !== null) url.searchParams.set('service', challenge.service);
  // Never the scope of the challenge: the daemon only reads, and only this repository.
  if (repository !== null) url.searchParams.set('scope', `repository:${repository}:pull`);
  if (auth !== null) url.searchParams.set('account', auth.username);
  const headers = { accept: 'application/json', ...(auth !== null && { authorization: basic(auth) }) };
  const { answer } = await requestFollowing(url, { ...rest, headers });
  if (answer.statusCode !== 200) {
    answer.destroy();
    const problem = problemOfStatus(answer.statusCode ?? 0, `a token of ${url.host}`);
    // Token services use several statuses for a wrong account, and none for a missing image.
    throw problem.code === 'image_not_found' || problem.code === 'registry_answer_invalid'
      ? new RemoteProblem('registry_unauthorized', problem.message)
      : problem;
  }
  return tokenIn(await readAnswerBody(answer, MAX_BYTES, rest.signal), url);
}

/** @throws RemoteProblem for a realm that the credentials and the token must not be entrusted to */
function realmOf(realm: string, registry: URL): URL {
  const url = URL.canParse(realm) ? new URL(realm) : null;
  const isPlain = url?.protocol === 'http:' && registry.protocol === 'http:' && url.host === registry.host;
  const isTls = url?.protocol === 'https:' && registry.protocol === 'https:';
  if (url !== null && (isTls || isPlain) && url.username === '' && url.password === '') return url;
  throw new RemoteProblem('registry_answer_invalid', `${registry.host} names a token service that is not safe to use`);
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
  // It becomes a header: nothing in it may end one.
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new RemoteProblem('registry_answer_invalid', `${url.host} sent no token`);
}

/** The value of an `Authorization` header. */
export function basic({ username, password }: RegistryAuth): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
