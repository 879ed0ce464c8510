import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { type GroupKind, LABEL } from '../../labels.ts';
import { assertOwnName } from '../../names.ts';
import type { Volume } from '../../volume.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';

const KINDS: readonly GroupKind[] = ['app', 'database', 'store'];

/** Maximum time in milliseconds to measure volume sizes. Docker reads the size of every file in every volume. */
const SIZES_TIMEOUT_MS = 10_000;

interface DockerVolume {
  Name: string;
  Labels: Record<string, string> | null;
  CreatedAt?: string;
  /** Disk use of the volume in bytes. -1 means that Docker did not measure the volume. */
  UsageData?: { Size: number } | null;
}

export class DockerVolumes {
  readonly #context: DockerContext;
  /**
   * Running measurement of volume sizes, or `null`. Concurrent callers share one measurement, because Docker accepts
   * only one at a time.
   */
  #measuring: Promise<DockerVolume[]> | null = null;

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async ensure(name: string, app: string, owner: GroupKind): Promise<void> {
    assertOwnName(this.#context.davitId, name);
    const { davitId } = this.#context;
    const labels = { [LABEL.instance]: davitId, [LABEL.kind]: 'volume', [LABEL.app]: app, [LABEL.owner]: owner };
    const body = { Name: name, Driver: 'local', Labels: labels };
    // If a volume with this name already exists, Docker returns the existing volume unchanged.
    const path = '/volumes/create';
    const made = await this.#context.client.call<DockerVolume>({ doing: 'create volume', method: 'POST', path, body });
    this.#assertOurs(made, 'create volume');
  }

  async remove(name: string): Promise<void> {
    assertOwnName(this.#context.davitId, name);
    const path = `/volumes/${name}`;
    try {
      this.#assertOurs(
        await this.#context.client.call<DockerVolume>({ doing: 'inspect volume', path }),
        'remove volume',
      );
      await this.#context.client.call({ doing: 'remove volume', method: 'DELETE', path });
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }

  async list(): Promise<Volume[]> {
    const query = { filters: ownFilter(this.#context.davitId) };
    const call = { doing: 'list volumes', path: '/volumes', query };
    const { Volumes } = await this.#context.client.call<{ Volumes: DockerVolume[] | null }>(call);
    return (Volumes ?? []).map(view).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Returns the size of a volume in bytes. Returns `null` without an error if the size is unknown or the measurement
   * takes too long.
   */
  async size(name: string, signal?: AbortSignal): Promise<number | null> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = null;
    });
    try {
      const volumes = await this.#measuring;
      signal?.throwIfAborted();
      const bytes = volumes.find((volume) => volume.Name === name)?.UsageData?.Size ?? -1;
      return bytes < 0 ? null : bytes;
    } catch (error) {
      // Status 409 means that Docker is already measuring volumes for another request, so the size is unknown now.
      if (isStatus(error, 409) || error instanceof EngineUnavailable) return null;
      throw error;
    }
  }

  async #measure(): Promise<DockerVolume[]> {
    /*
     * Docker before version 23 ignores the query parameter `type`. Docker then also measures images, which takes
     * longer.
     */
    const call = { doing: 'measure volumes', path: '/system/df', query: { type: 'volume' } };
    const found = await this.#context.client.call<{ Volumes: DockerVolume[] | null }>({
      ...call,
      timeoutMs: SIZES_TIMEOUT_MS,
    });
    return found.Volumes ?? [];
  }

  #assertOurs({ Name, Labels }: DockerVolume, doing: string): void {
    if (Labels?.[LABEL.instance] === this.#context.davitId) return;
    throw new EngineRefused(
      `Another program created the volume ${Name}: the volume does not have the label of this instance (${doing}).`,
    );
  }
}

function view({ Name, Labels, CreatedAt }: DockerVolume): Volume {
  return {
    name: Name,
    app: Labels?.[LABEL.app] ?? null,
    owner: KINDS.find((kind) => kind === Labels?.[LABEL.owner]) ?? 'app',
    createdAt: CreatedAt === undefined ? null : new Date(CreatedAt),
  };
}
