import { createHash } from 'node:crypto';
import { LABEL } from '../../labels.ts';
import { namePrefix, tagPrefix } from '../../names.ts';
import type { ImageLayer, StorageUse } from '../../volume.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';

/**
 * Maximum time in milliseconds to measure disk use. Docker reads the size of every file in every volume and container.
 */
const TIMEOUT_MS = 10 * 60_000;

/** Maximum number of images in the cache of image layers. A Davit instance normally uses fewer images. */
const MOST_IMAGES = 2_000;

interface DiskReport {
  Images: { Id: string; RepoTags: string[] | null }[] | null;
  Containers: ReportedContainer[] | null;
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null;
}

interface ReportedContainer {
  Labels: Record<string, string> | null;
  SizeRw?: number;
  Mounts: { Type: string; Name?: string }[] | null;
}

interface HistoryEntry {
  Size: number;
}

/** Measures the disk use of this Davit instance's images, containers and volumes. */
export class DockerStorage {
  readonly #context: DockerContext;
  readonly #layers = new Map<string, readonly ImageLayer[]>();

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async measure(signal: AbortSignal): Promise<StorageUse | null> {
    const report = await this.#report(signal);
    if (report === null) return null;
    const { davitId } = this.#context;
    const isOurs = (labels: Record<string, string> | null) => labels?.[LABEL.instance] === davitId;
    const held = (report.Images ?? []).filter(({ RepoTags }) =>
      RepoTags?.some((tag) => tag.startsWith(tagPrefix(davitId))),
    );
    const images = new Map<string, readonly ImageLayer[]>();
    for (const { Id } of held) images.set(Id, await this.#layersOf(Id, signal));
    // Docker also returns volumes that do not belong to Davit. The caller selects volumes by name.
    const volumes = new Map(
      (report.Volumes ?? []).flatMap(({ Name, UsageData }) =>
        UsageData && UsageData.Size >= 0 ? [[Name, UsageData.Size] as const] : [],
      ),
    );
    const written = (container: ReportedContainer) =>
      unnamedVolumes(container, davitId).reduce((sum, name) => sum + (volumes.get(name) ?? 0), container.SizeRw ?? 0);
    return {
      images,
      containers: (report.Containers ?? [])
        .filter(({ Labels }) => isOurs(Labels))
        .map((container) => ({ app: container.Labels?.[LABEL.app] ?? null, bytes: written(container) })),
      volumes,
    };
  }

  async #report(signal: AbortSignal): Promise<DiskReport | null> {
    const call = { doing: 'measure the disk use', path: '/system/df', timeoutMs: TIMEOUT_MS, signal };
    try {
      return await this.#context.client.call<DiskReport>(call);
    } catch (error) {
      /*
       * Status 409 means that Docker is already measuring the disk use for another request. Only older Docker versions
       * return this status.
       */
      if (isStatus(error, 409)) return null;
      throw error;
    }
  }

  async #layersOf(imageId: string, signal: AbortSignal): Promise<readonly ImageLayer[]> {
    const known = this.#layers.get(imageId);
    if (known !== undefined) return known;
    const read = <T>(doing: string, path: string) => this.#context.client.call<T>({ doing, path, signal });
    const layers = await Promise.all([
      read<HistoryEntry[]>('read the history of an image', `/images/${imageId}/history`),
      read<{ RootFS: { Layers?: string[] } }>('read the layers of an image', `/images/${imageId}/json`),
    ]).then(
      ([history, { RootFS }]) => layersOf(history, RootFS.Layers ?? []),
      (error) => {
        // Status 404 means that the image was removed after Docker listed it.
        if (isStatus(error, 404)) return [];
        throw error;
      },
    );
    if (this.#layers.size >= MOST_IMAGES) this.#layers.clear();
    this.#layers.set(imageId, layers);
    return layers;
  }
}

/**
 * Returns the anonymous volumes of a container. Docker creates an anonymous volume for each VOLUME instruction of the
 * image. All other volume names start with `davit-<id>-`.
 */
function unnamedVolumes({ Mounts }: ReportedContainer, davitId: string): string[] {
  return (Mounts ?? []).flatMap(({ Type, Name }) =>
    Type === 'volume' && Name !== undefined && !Name.startsWith(namePrefix(davitId)) ? [Name] : [],
  );
}

/**
 * Returns the image layers whose size is not 0. The key of a layer is a hash of the digests of the layer and all layers
 * below.
 *
 * Docker reports layer sizes only in the image history, and reports layer digests only elsewhere. The image history can
 * omit empty layers, so the digest of a layer is not certain. The key therefore includes n additional digests, where n
 * is the number of empty layers of the image. Images with the same base image have equal keys for the layers of the
 * base image. Only the n topmost layers of the base image have different keys.
 * @param history entries of the Docker API, newest first
 * @param digests digests of all layers, oldest first
 */
export function layersOf(history: readonly HistoryEntry[], digests: readonly string[]): ImageLayer[] {
  const sizes = history.map(({ Size }) => Size).filter((bytes) => bytes > 0);
  const empty = Math.max(0, digests.length - sizes.length);
  return sizes.toReversed().map((bytes, index) => {
    const below = digests.slice(0, index + 1 + empty);
    return { key: createHash('sha256').update(JSON.stringify(below)).digest('hex'), bytes };
  });
}
