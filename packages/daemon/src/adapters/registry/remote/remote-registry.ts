/** Read-only HTTP client for other registries. The client resolves tags and downloads manifests and layers. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isDigest } from '@davit/api';
import type { RegistryAuth } from '../../engine/image.ts';
import { challengeOf } from './challenge.ts';
import type { ConnectionRules } from './connection-rules.ts';
import { demandReadable, MANIFEST_TYPES, type ReadableManifest } from './manifest.ts';
import { problemOfStatus, RemoteProblem } from './problem.ts';
import { type RemoteAnswer, type RemoteRequest, readAnswerBody, requestFollowing } from './request.ts';
import { basic, fetchToken } from './token.ts';

const HUB = { name: 'docker.io', address: 'registry-1.docker.io' };
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

export interface RemoteOptions {
  /** Host name of the registry, as in an image name, for example `docker.io`. */
  host: string;
  /** Repository with the requested images. `null` if only the credentials for the registry are checked. */
  repository: string | null;
  auth: RegistryAuth | null;
  rules: ConnectionRules;
}

export interface Manifest extends ReadableManifest {
  bytes: Buffer;
}

type Sending = Pick<RemoteRequest, 'method' | 'headers' | 'signal'>;

export class RemoteRegistry {
  readonly #options: RemoteOptions;
  #base: Promise<URL> | null = null;
  #authorization: string | null = null;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /**
   * Returns the digest to which a tag points.
   * @throws RemoteProblem if the registry fails
   * @throws the abort reason of `signal`
   */
  async digestOf(tag: string, signal: AbortSignal): Promise<string> {
    const path = this.#path(`manifests/${tag}`);
    const answer = await this.#read(path, { method: 'HEAD', headers: { accept: MANIFEST_TYPES.join(', ') }, signal });
    answer.destroy();
    const digest = answer.headers['docker-content-digest'];
    if (typeof digest === 'string' && isDigest(digest)) return digest;
    return sha256((await this.#manifest(`manifests/${tag}`, signal)).bytes);
  }

  /**
   * Downloads a manifest and verifies its digest.
   * @throws RemoteProblem if the registry fails, or the digest is wrong
   * @throws the abort reason of `signal`
   */
  async manifest(digest: string, signal: AbortSignal): Promise<Manifest> {
    const manifest = await this.#manifest(`manifests/${digest}`, signal);
    const [algorithm = '', expected] = digest.split(':');
    if (createHash(algorithm).update(manifest.bytes).digest('hex') === expected) return manifest;
    throw new RemoteProblem('registry_answer_invalid', `${this.#options.host}: a manifest does not match its digest`);
  }

  /**
   * Starts the download of a blob. The caller must verify the digest of the downloaded data.
   * @param range value of the `Range` header, to resume a download
   * @throws RemoteProblem, or the abort reason
   */
  blob(digest: string, { method, range, signal }: Sending & { range?: string | undefined }): Promise<IncomingMessage> {
    const headers = range === undefined ? {} : { range };
    return this.#read(this.#path(`blobs/${digest}`), { ...(method && { method }), headers, signal });
  }

  /**
   * Resolves if the registry accepts the credentials.
   * @throws RemoteProblem if the registry rejects the credentials or fails, or the abort reason
   */
  async check(signal: AbortSignal): Promise<void> {
    const answer = await this.#read('', { signal });
    answer.destroy();
  }

  async #manifest(path: string, signal: AbortSignal): Promise<Manifest> {
    const headers = { accept: MANIFEST_TYPES.join(', ') };
    const answer = await this.#read(this.#path(path), { headers, signal });
    const bytes = await readAnswerBody(answer, MAX_MANIFEST_BYTES, signal);
    return { bytes, ...demandReadable(bytes, answer.headers['content-type']) };
  }

  #path(rest: string): string {
    return `${this.#options.repository}/${rest}`;
  }

  /**
   * Sends a request to the registry. If the registry requires a token, the client gets a token and repeats the request.
   * @returns the response, with status 200 or 206
   */
  async #read(path: string, sending: Sending): Promise<IncomingMessage> {
    this.#base ??= this.#findBase(sending.signal).catch((error: unknown) => {
      this.#base = null;
      throw error;
    });
    const url = new URL(path, await this.#base);
    let { answer, url: answeredBy, isPrivate } = await this.#send(url, sending);
    if (answer.statusCode === 401 && answeredBy.origin === url.origin) {
      answer.destroy();
      this.#authorization = await this.#authorize(url, answer, { isPrivate, signal: sending.signal });
      ({ answer, url: answeredBy } = await this.#send(url, sending));
    }
    const { statusCode: status = 0 } = answer;
    if (status === 200 || status === 206) return answer;
    answer.destroy();
    throw problemOfStatus(status, `${sending.method ?? 'GET'} ${url.href} (${answeredBy.host})`);
  }

  #send(url: URL, { headers, ...rest }: Sending): Promise<RemoteAnswer> {
    const authorization = this.#authorization;
    const { rules } = this.#options;
    const all = { ...headers, ...(authorization !== null && { authorization }) };
    /*
     * The host may have a private address that an admin has allowed. The user entered this host, so no redirect led to
     * it.
     */
    return requestFollowing(url, { ...rest, headers: all, rules, mayBePrivate: true });
  }

  async #authorize(
    registry: URL,
    answer: IncomingMessage,
    { isPrivate, signal }: { isPrivate: boolean; signal: AbortSignal },
  ): Promise<string> {
    const { auth, repository, rules, host } = this.#options;
    const challenge = challengeOf(answer.headers['www-authenticate']);
    if (challenge?.scheme === 'bearer')
      return `Bearer ${await fetchToken({ challenge, registry, repository, auth, rules, mayBePrivate: isPrivate, signal })}`;
    if (challenge?.scheme === 'basic' && auth !== null) return basic(auth);
    throw new RemoteProblem('registry_unauthorized', `${host} requires credentials`);
  }

  /**
   * Returns the registry's base URL. The URL starts with `http:` only if TLS is not required and the registry does not
   * respond over TLS.
   */
  async #findBase(signal: AbortSignal): Promise<URL> {
    const { host, rules } = this.#options;
    const name = host === HUB.name ? HUB.address : host;
    const [secure, plain] = [new URL(`https://${name}/v2/`), new URL(`http://${name}/v2/`)];
    if (!rules.allowsPlain(plain)) return secure;
    try {
      (await requestFollowing(secure, { rules, mayBePrivate: true, signal })).answer.destroy();
      return secure;
    } catch (error) {
      if (error instanceof RemoteProblem && error.code === 'registry_unreachable') return plain;
      throw error;
    }
  }
}

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
