/**
 * Simulates the images that Davit builds for its own components. A simulated image consists only of a list of package
 * versions.
 */
import { createHash } from 'node:crypto';
import {
  type PackageChange,
  type PackageVersion,
  type PlatformFailureCode,
  type PlatformImage,
  PlatformImageFailed,
  type PlatformImageMaker,
  type PlatformImageRecords,
  PlatformImageRefused,
} from '../platform-images.ts';
import type { MemoryEngine } from './memory.ts';

/**
 * Packages of each simulated image. Images with a `reference` are database images. Database images also exist in the
 * simulated Docker.
 */
const RECIPES: Record<string, { packages: string[]; reference?: string }> = {
  haproxy: { packages: ['haproxy', 'libc6'] },
  names: { packages: ['dnsmasq-base', 'libc6'] },
  registry: { packages: ['docker-registry', 'libc6'] },
  postgres: { packages: ['postgresql-15', 'libc6'], reference: 'davit/postgres:15' },
  mariadb: { packages: ['mariadb-server-core', 'libc6'], reference: 'davit/mariadb:10.11' },
  redis: { packages: ['redis-server', 'libc6'], reference: 'davit/redis:7.0' },
};

/**
 * Step at which a new simulated image fails. `verify` is the test of the image. `rollOut` is the replacement of
 * containers. `start` is the start of a database.
 */
type Refusal = 'verify' | 'rollOut' | 'start';

export interface MemoryPlatformControls {
  /** Adds a package version to the simulated Debian repository. A larger version number is newer. */
  publish(name: string, version: string): void;
  /**
   * Makes all later calls of `refresh`, `make` and `rollOut` fail with an error code. If `code` is `null`, later calls
   * succeed again.
   */
  fail(code: PlatformFailureCode | null): void;
  /** Makes a simulated image fail at the given step. If `when` is `null`, the image works again. */
  refuse(name: string, when: Refusal | null): void;
  /**
   * Blocks all calls of `refresh`, `make` or `rollOut` until the promise settles. If `until` is `null`, calls are no
   * longer blocked.
   */
  hold(method: 'refresh' | 'make' | 'rollOut', until: Promise<unknown> | null): void;
  /** Log of the method calls, oldest first, for example `rollOut haproxy sha256:…`. Tests check this log. */
  calls: string[];
}

export type MemoryPlatform = PlatformImageMaker & MemoryPlatformControls;

/** @param now function that returns the current time in milliseconds since the epoch */
export function createMemoryPlatform(
  engine: Pick<MemoryEngine, 'findImage' | 'controls'>,
  records: () => PlatformImageRecords,
  now: () => number = Date.now,
): MemoryPlatform {
  const repository = new Map<string, string>();
  const refused = new Map<string, Refusal>();
  const held = new Map<string, Promise<unknown>>();
  const calls: string[] = [];
  let failing: PlatformFailureCode | null = null;
  const versionOf = (name: string) => repository.get(name) ?? '1';
  const enter = async (method: 'refresh' | 'make' | 'rollOut', name = '') => {
    calls.push(`${method} ${name}`.trim());
    await held.get(method);
    if (failing !== null) throw new PlatformImageFailed(failing, 'Simulated failure of the image build.');
  };

  async function build(name: string): Promise<PlatformImage> {
    const { packages: names = [], reference } = RECIPES[name] ?? {};
    const packages = names.map((one) => ({ name: one, version: versionOf(one) }));
    const behaviour = refused.get(name) === 'start' ? { exit: { exitCode: 1, oomKilled: false } } : {};
    const image = reference === undefined ? null : engine.controls.addImage(reference, { digest: null, behaviour });
    const imageId =
      image?.id ??
      `sha256:${createHash('sha256')
        .update(JSON.stringify([name, packages]))
        .digest('hex')}`;
    return { imageId, recipe: name, packages, builtAt: now() };
  }

  return {
    calls,
    publish: (name, version) => void repository.set(name, version),
    fail(code) {
      failing = code;
    },
    refuse: (name, when) => void (when === null ? refused.delete(name) : refused.set(name, when)),
    hold: (method, until) => void (until === null ? held.delete(method) : held.set(method, until)),
    names: () => Object.keys(RECIPES),
    async ensure(name) {
      const known = records().find(name);
      if (known !== null) return known.imageId;
      const { reference = null } = RECIPES[name] ?? {};
      const found = reference === null ? null : await engine.findImage(reference);
      const image = await build(name);
      const imageId = found?.id ?? image.imageId;
      // An existing image was not built by this simulation. Its Debian packages are unknown, so the list is empty.
      const packages = found === null ? image.packages : [];
      const fresh = { checkedAt: now(), available: [], previous: null, keptBack: null };
      records().put({ ...image, imageId, packages, name, ...fresh });
      return imageId;
    },
    refresh: () => enter('refresh'),
    async newer(packages: readonly PackageVersion[]) {
      return packages.flatMap(({ name, version }): PackageChange[] => {
        const to = versionOf(name);
        return Number(to) > Number(version) ? [{ name, from: version, to }] : [];
      });
    },
    async make(name) {
      await enter('make', name);
      return build(name);
    },
    async verify(name) {
      if (refused.get(name) === 'verify') throw new PlatformImageRefused('Simulated failure of the image check.');
    },
    async rollOut(name) {
      const record = records().find(name);
      await enter('rollOut', `${name} ${record?.imageId}`);
      /*
       * The simulated rollout fails only if there is a previous image. Otherwise, the rollback to the previous image
       * would be impossible.
       */
      if (refused.get(name) === 'rollOut' && record?.previous)
        throw new PlatformImageRefused('Simulated failure of the image rollout.');
    },
    async collect(used) {
      calls.push(`collect ${[...used.values()].join(' ')}`);
    },
  };
}
