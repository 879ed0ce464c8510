/**
 * Makes an `Engine` pull images of other registries through the daemon. The daemon can then check the IP address of
 * each registry.
 */
import { canonicalReference, type ImageReference } from '@davit/api';
import type { BareEngine, Engine } from '../../engine/engine.ts';
import { EngineRefused } from '../../engine/errors.ts';
import type { Image, RegistryAuth } from '../../engine/image.ts';
import { ImageProblem, type ImageSubject } from '../../engine/image-problem.ts';
import { gatewayRepository } from '../../engine/names.ts';
import { ConnectionRules, type ConnectionSettings } from './connection-rules.ts';
import { Gateway, type GatewayPort, type Session } from './gateway.ts';
import { OwnImages, type OwnRegistry } from './own-images.ts';
import { demandPossession, type Possession } from './possession.ts';
import { RemoteProblem } from './problem.ts';
import { PullsInProgress } from './pulls-in-progress.ts';
import { RemoteRegistry } from './remote-registry.ts';

export interface FetchingOptions extends ConnectionSettings {
  davitId: string;
  port: GatewayPort;
  own: OwnRegistry;
  possession: Possession;
  /**
   * Returns whether this Davit instance gave this name to the image in Docker. If `false`, another program may have
   * named the image.
   */
  isBroughtHere: (reference: string, imageId: string) => boolean;
  /**
   * Saves the name of a pulled image in the database. The function must be called before Docker gets the name.
   * Otherwise, a crash could lose the database record.
   */
  recordName: (reference: string, imageId: string) => void;
}

interface Pull {
  parsed: ImageReference;
  registry: RemoteRegistry;
  /** Digest of the image's manifest. */
  digest: string;
  signal: AbortSignal;
}

/**
 * Maximum number of attempts for a pull if only Docker reports an error, but not the registry. This can happen if two
 * pulls share a download and one of the pulls ends.
 */
const MOST_TRIES = 3;

export function fetchingImages(engine: BareEngine, options: FetchingOptions): Engine {
  const { possession } = options;
  const rules = new ConnectionRules(options);
  const gateway = new Gateway(options.port);
  const pulls = new PullsInProgress();
  const ownImages = new OwnImages({ engine, own: options.own, possession, pulls });

  const isOwn = (reference: string) => canonicalReference(reference)?.host === options.own.host();

  async function findRemote(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string> {
    const parsed = parse(reference);
    if (parsed.digest === null) return registryOf(parsed, auth).digestOf(parsed.tag ?? 'latest', signal);
    await registryOf(parsed, auth).manifest(parsed.digest, signal);
    return parsed.digest;
  }

  const pull: Engine['pullImage'] = async (reference, auth, signal, project) => {
    const parsed = parse(reference);
    const registry = registryOf(parsed, auth);
    const digest = parsed.digest ?? (await registry.digestOf(parsed.tag ?? 'latest', signal));
    for (let tries = 1; ; tries++) {
      using session = await gateway.open(gatewayRepository(options.davitId, parsed), registry, digest, project);
      // The daemon reads each manifest before Docker. The manifest tree therefore contains all images of this pull.
      using _pulling = pulls.begin((imageId) => session.tree.names(imageId));
      try {
        const image = await pullBy(session, { parsed, registry, digest, signal });
        await name(image.id, parsed, reference);
        return { ...image, digest };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof EngineRefused)) throw error;
        // Throws the error of the registry, because Docker's error contains only the response of the gateway.
        const problem = session.problem();
        if (problem !== null) throw problem;
        // Tries the pull again. Docker may have stopped a download that this pull shared with another pull.
        if (tries === MOST_TRIES) throw error;
      }
    }
  };

  async function pullBy(session: Session, { parsed, registry, digest, signal }: Pull): Promise<Image> {
    const either = AbortSignal.any([signal, session.signal]);
    const image = await engine.pullImage(`${session.name}@${digest}`, session.auth, either);
    const repository = `${parsed.host}/${parsed.repository}`;
    try {
      await demandPossession({ registry, session, repository, digest, image, possession, signal });
      return image;
    } catch (cause) {
      await engine.untagImage(`${repository}@${digest}`, image.id);
      throw cause;
    }
  }

  /**
   * Gives the requested name to an image that Docker has pulled by digest. If another program has already given this
   * name to an image, the name is not changed, because the program may need it.
   */
  async function name(imageId: string, { digest }: ImageReference, reference: string): Promise<void> {
    if (digest !== null) return;
    const named = await engine.findImage(reference);
    if (named !== null && !options.isBroughtHere(reference, named.id)) return;
    options.recordName(reference, imageId);
    await engine.nameImage(imageId, reference);
  }

  async function pullOwn(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image> {
    const parsed = parse(reference);
    const digest = parsed.digest ?? (await engine.findRemoteImage(reference, auth, signal));
    const image = await ownImages.pull({ ...parsed, tag: null, digest }, auth, signal);
    if (parsed.digest === null) await engine.nameImage(image.id, reference);
    return { ...image, digest };
  }

  function registryOf({ host, repository }: ImageReference, auth: RegistryAuth | null): RemoteRegistry {
    return new RemoteRegistry({ host, repository, auth, rules });
  }

  return {
    ...engine,
    findRemoteImage: (reference, auth, signal) =>
      isOwn(reference)
        ? engine.findRemoteImage(reference, auth, signal)
        : translated(reference, () => findRemote(reference, auth, signal)),
    pullImage: (reference, auth, signal, project) =>
      isOwn(reference)
        ? translated(reference, () => pullOwn(reference, auth, signal))
        : translated(reference, () => pull(reference, auth, signal, project)),
    checkRegistry: async (host, auth, signal) => {
      const registry = new RemoteRegistry({ host, repository: null, auth, rules });
      await inSentences({ host, image: null }, () => registry.check(signal));
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

function parse(reference: string): ImageReference {
  const parsed = canonicalReference(reference);
  if (parsed === null) throw new EngineRefused(`${JSON.stringify(reference)} is not an image reference`);
  return parsed;
}

function translated<T>(reference: string, work: () => Promise<T>): Promise<T> {
  return inSentences({ host: canonicalReference(reference)?.host ?? '', image: reference }, work);
}

async function inSentences<T>(subject: ImageSubject, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof RemoteProblem ? new ImageProblem(cause.code, subject, cause) : cause;
  }
}
