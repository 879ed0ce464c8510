import type { Exit } from '../instance.ts';

/**
 * Behavior of a simulated container. The image tag selects the behavior. For example, a container of the image
 * `shop:crash` behaves like a program that crashes.
 */
export interface Behaviour {
  /**
   * Exit code of a container that exits directly after its start, and whether the container ran out of memory. `null`
   * if the container keeps running.
   */
  exit: Exit | null;
  /**
   * Number of health checks that fail before the first success. `Infinity` means that the simulated container never
   * becomes ready.
   */
  failingProbes: number;
  /** Log lines that the simulated container writes when it starts. */
  lines: { stream: 'stdout' | 'stderr'; line: string }[];
  /** HTTP status with which a ready simulated container responds to a health check. */
  httpStatus: number;
  /**
   * `true` if the simulated container ignores stop signals, so `stop` must kill the container after the grace period.
   */
  ignoresStop: boolean;
  /**
   * Number of bytes that the simulated container writes to an anonymous volume. The container's image declares this
   * volume.
   */
  unnamedVolumeBytes: number;
}

const WELL: Behaviour = {
  exit: null,
  failingProbes: 0,
  lines: [{ stream: 'stdout', line: 'listening' }],
  httpStatus: 200,
  ignoresStop: false,
  unnamedVolumeBytes: 0,
};

const CRASH_LINES: Behaviour['lines'] = [
  { stream: 'stdout', line: 'starting' },
  { stream: 'stderr', line: 'fatal: this example crashes' },
];

/**
 * Map from image tag to the behavior of a simulated container. A tag may have a prefix that ends with a dash. For
 * example, `v2-crash` selects the same behavior as `crash`.
 */
const BY_TAG: Record<string, Partial<Behaviour>> = {
  crash: { exit: { exitCode: 1, oomKilled: false }, lines: CRASH_LINES },
  done: { exit: { exitCode: 0, oomKilled: false }, lines: [{ stream: 'stdout', line: 'done' }] },
  oom: { exit: { exitCode: 137, oomKilled: true }, lines: [{ stream: 'stdout', line: 'starting' }] },
  'never-ready': { failingProbes: Number.POSITIVE_INFINITY, lines: [{ stream: 'stdout', line: 'starting' }] },
  slow: { failingProbes: 5 },
  unhealthy: { httpStatus: 503 },
  stubborn: { ignoresStop: true },
};

/**
 * Returns the simulated behavior for the tag of an image reference. For unknown tags, the container behaves like a
 * server program that never fails.
 */
export function behaviourOf(reference: string): Behaviour {
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  const known = Object.keys(BY_TAG).find((name) => tag === name || tag.endsWith(`-${name}`));
  return { ...WELL, ...(known === undefined ? {} : BY_TAG[known]) };
}

/**
 * Returns whether the image does not exist in the simulated registry. This is true for the tag `missing` and for tags
 * that end with `-missing`.
 */
export function isMissingReference(reference: string): boolean {
  return /[:-]missing$/.test(reference);
}
