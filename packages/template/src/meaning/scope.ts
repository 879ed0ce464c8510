import type { Code } from '../codes.ts';
import type { Path, Problem, Severity } from '../diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput, DraftJob, DraftStore } from '../draft.ts';
import { moreProblem } from '../findings.ts';
import { type Substituted, substitutedIn } from '../substituted.ts';
import { CUBESHIP_GATES, type Gate, hasEmptyAlternative, isRange, keepsOut } from '../versions.ts';
import { LIMITS } from '../yaml/limits.ts';

/** What every check is given: the file, what its keys stand for, and where to say what was found. */
export interface Scope {
  draft: Draft;
  inputs: ReadonlyMap<string, DraftInput>;
  databases: ReadonlyMap<string, DraftDatabase>;
  stores: ReadonlyMap<string, DraftStore>;
  apps: ReadonlyMap<string, DraftApp>;
  jobs: ReadonlyMap<string, DraftJob>;
  /** Every text in which references are replaced. */
  texts: readonly Substituted[];
  minCubeship: MinCubeship;
  error: Say;
  warning: Say;
  info: Say;
  /** What was said, in that order; of very much, the first of it, and how much there is besides. */
  said(): Problem[];
}

/** What `minCubeship` says, looked at once: many apps ask. */
export interface MinCubeship {
  isRange: boolean;
  /** The features whose absence it refuses. */
  keepsOut: Record<keyof typeof CUBESHIP_GATES, boolean>;
}

/** A hint that takes a search is given as a function, and searched for only when it is told. */
type Say = (code: Code, path: Path, message: string, hint?: string | (() => string | undefined)) => void;

/** Prepares the checks of a file; of two things with one key, the first is the one that references mean. */
export function scopeOf(draft: Draft): Scope {
  const problems: Problem[] = [];
  const unlisted = { count: 0 };
  // Each severity is capped by itself: advice must not push out an error.
  const say = (severity: Severity): Say => {
    let listed = 0;
    return (code, path, message, hint) => {
      if (listed === LIMITS.problems) {
        unlisted.count += 1;
        return;
      }
      listed += 1;
      const told = typeof hint === 'function' ? hint() : hint;
      problems.push({ severity, code, message, path, ...(told !== undefined && { hint: told }) });
    };
  };
  return {
    draft,
    inputs: byKey(draft.inputs),
    databases: byKey(draft.databases),
    stores: byKey(draft.stores),
    apps: byKey(draft.apps),
    jobs: byKey(draft.jobs),
    texts: substitutedIn(draft),
    minCubeship: readMinCubeship(draft.minCubeship),
    error: say('error'),
    warning: say('warning'),
    info: say('info'),
    said: () => (unlisted.count === 0 ? problems : [...problems, moreProblem(unlisted.count)]),
  };
}

function byKey<Item extends { key: string }>(items: readonly Item[] = []): Map<string, Item> {
  const map = new Map<string, Item>();
  for (const item of items) if (!map.has(item.key)) map.set(item.key, item);
  return map;
}

function readMinCubeship(range: string | undefined): MinCubeship {
  // Versions before a feature cannot evaluate an empty alternative, and so install no such file.
  const keepsOutAll = range !== undefined && hasEmptyAlternative(range);
  const keeps = (gate: Gate) => keepsOutAll || keepsOut(range, gate);
  const { volumes, tcp, extensions } = CUBESHIP_GATES;
  return {
    isRange: range !== undefined && isRange(range),
    keepsOut: { volumes: keeps(volumes), tcp: keeps(tcp), extensions: keeps(extensions) },
  };
}
