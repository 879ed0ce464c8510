import type { Exit } from '../instance.ts';

/**
 * How a simulated container behaves. The tag of its image says so, which makes a try-out and a test read the same:
 * deploying `shop:crash` fails as an image that crashes would.
 */
export interface Behaviour {
  /** Ends by itself right after its start. */
  exit: Exit | null;
  /** Probes that fail before the first one that succeeds; Infinity: never ready. */
  failingProbes: number;
  /** Lines it writes at its start. */
  lines: { stream: 'stdout' | 'stderr'; line: string }[];
  /** What an HTTP probe gets once it is ready. */
  httpStatus: number;
  /** Does not end on a stop signal: `stop` takes its whole grace and kills. */
  ignoresStop: boolean;
  /** Bytes that it writes to a volume that its image declares. */
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
  { stream: 'stderr', line: 'fatal: it was told to crash' },
];

/** Behaviours by tag, or by the end of a tag behind a dash: `v2-crash` crashes as `crash` does. */
const BY_TAG: Record<string, Partial<Behaviour>> = {
  crash: { exit: { exitCode: 1, oomKilled: false }, lines: CRASH_LINES },
  done: { exit: { exitCode: 0, oomKilled: false }, lines: [{ stream: 'stdout', line: 'done' }] },
  oom: { exit: { exitCode: 137, oomKilled: true }, lines: [{ stream: 'stdout', line: 'starting' }] },
  'never-ready': { failingProbes: Number.POSITIVE_INFINITY, lines: [{ stream: 'stdout', line: 'starting' }] },
  slow: { failingProbes: 5 },
  unhealthy: { httpStatus: 503 },
  stubborn: { ignoresStop: true },
};

/** The behaviour that a reference's tag asks for; a well-behaved server for any other. */
export function behaviourOf(reference: string): Behaviour {
  const tag = reference.slice(reference.lastIndexOf(':') + 1);
  const known = Object.keys(BY_TAG).find((name) => tag === name || tag.endsWith(`-${name}`));
  return { ...WELL, ...(known === undefined ? {} : BY_TAG[known]) };
}

/** Whether no registry has this reference: its tag is `missing`. */
export function isMissingReference(reference: string): boolean {
  return /[:-]missing$/.test(reference);
}
