import type { Exit } from '../instance.ts';

/**
 * Behaviour of a simulated container. The tag of the image determines the behaviour, so demos and tests are easy to
 * read: deploying `shop:crash` fails like an image that crashes.
 */
export interface Behaviour {
  /** Exit immediately after the start, or `null` if the container keeps running. */
  exit: Exit | null;
  /** Number of probes that fail before the first success. With Infinity, the container never becomes ready. */
  failingProbes: number;
  /** Lines that the container writes when it starts. */
  lines: { stream: 'stdout' | 'stderr'; line: string }[];
  /** Status for an HTTP probe of a ready container. */
  httpStatus: number;
  /**
   * `true` if the container ignores stop signals, so that `stop` waits for the whole grace period and kills the
   * container.
   */
  ignoresStop: boolean;
  /** Bytes that the container writes to a volume that its image declares. */
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

/** Behaviours by tag, or by the part of a tag after a dash: `v2-crash` behaves like `crash`. */
const BY_TAG: Record<string, Partial<Behaviour>> = {
  crash: { exit: { exitCode: 1, oomKilled: false }, lines: CRASH_LINES },
  done: { exit: { exitCode: 0, oomKilled: false }, lines: [{ stream: 'stdout', line: 'done' }] },
  oom: { exit: { exitCode: 137, oomKilled: true }, lines: [{ stream: 'stdout', line: 'starting' }] },
  'never-ready': { failingProbes: Number.POSITIVE_INFINITY, lines: [{ stream: 'stdout', line: 'starting' }] },
  slow: { failingProbes: 5 },
  unhealthy: { httpStatus: 503 },
  stubborn: { ignoresStop: true },
};

/** Returns the behaviour for a reference's tag. All unknown tags mean a server without failures. */
export function behaviourOf(reference: string): Behaviour {
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  const known = Object.keys(BY_TAG).find((name) => tag === name || tag.endsWith(`-${name}`));
  return { ...WELL, ...(known === undefined ? {} : BY_TAG[known]) };
}

/** Returns whether the reference exists in no registry, because its tag is `missing`. */
export function isMissingReference(reference: string): boolean {
  return /[:-]missing$/.test(reference);
}
