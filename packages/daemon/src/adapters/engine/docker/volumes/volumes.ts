import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { type GroupKind, LABEL } from '../../labels.ts';
import { assertOwnName } from '../../names.ts';
import type { Volume } from '../../volume.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';

const KINDS: readonly GroupKind[] = ['app', 'database', 'store'];

/** Measuring walks every file of every volume. */
const SIZES_TIMEOUT_MS = 10_000;

interface DockerVolume {
  Name: string;
  Labels: Record<string, string> | null;
  CreatedAt?: string;
  /** Size -1: not measured. */
  UsageData?: { Size: number } | null;
}

/** The named volumes of this Davit. */
export class DockerVolumes {
  readonly #context: DockerContext;
  /** The engine measures all volumes or none, and one request at a time: who asks meanwhile gets the same answer. */
  #measuring: Promise<DockerVolume[]> | null = null;

  constructor(context: DockerContext) {
    this.#context = context;
  }

  async ensure(name: string, app: string, owner: GroupKind): Promise<void> {
    assertOwnName(this.#context.davitId, name);
    const { davitId } = this.#context;
    const labels = { [LABEL.instance]: davitId, [LABEL.kind]: 'volume', [LABEL.app]: app, [LABEL.owner]: owner };
    const body = { Name: name, Driver: 'local', Labels: labels };
    // Under a name that it has already the engine answers the volume as it is.
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

  /** Null also when measuring takes too long: a size is a service, and not worth an error. */
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
      // 409: somebody else has it measured right now.
      if (isStatus(error, 409) || error instanceof EngineUnavailable) return null;
      throw error;
    }
  }

  async #measure(): Promise<DockerVolume[]> {
    // Engines before 23.0 know no types, and measure images and build cache as well.
    const call = { doing: 'measure volumes', path: '/system/df', query: { type: 'volume' } };
    const found = await this.#context.client.call<{ Volumes: DockerVolume[] | null }>({
      ...call,
      timeoutMs: SIZES_TIMEOUT_MS,
    });
    return found.Volumes ?? [];
  }

  #assertOurs({ Name, Labels }: DockerVolume, doing: string): void {
    if (Labels?.[LABEL.instance] === this.#context.davitId) return;
    throw new EngineRefused(`${doing}: ${Name} was made by somebody else: it carries no label of this Davit`);
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
