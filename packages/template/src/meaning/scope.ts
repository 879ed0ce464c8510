import type { Code } from '../codes.ts';
import type { Path, Problem, Severity } from '../diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput, DraftJob, DraftStore } from '../draft.ts';
import { moreProblem } from '../findings.ts';
import { type Substituted, substitutedIn } from '../substituted.ts';
import { CUBESHIP_GATES, type Gate, hasEmptyAlternative, isRange, keepsOut } from '../versions.ts';
import { LIMITS } from '../yaml/limits.ts';

/**
 * Data for all checks of a template: the template, maps of its inputs, apps and other parts, and functions that report
 * problems.
 */
export interface Scope {
  draft: Draft;
  inputs: ReadonlyMap<string, DraftInput>;
  databases: ReadonlyMap<string, DraftDatabase>;
  stores: ReadonlyMap<string, DraftStore>;
  apps: ReadonlyMap<string, DraftApp>;
  jobs: ReadonlyMap<string, DraftJob>;
  /**
   * All texts of a template that can contain references. Davit replaces the references when it installs the template.
   */
  texts: readonly Substituted[];
  minCubeship: MinCubeship;
  error: Say;
  warning: Say;
  info: Say;
  /**
   * Returns the reported problems in order. If there are too many problems, the last problem contains the number of
   * omitted problems.
   */
  said(): Problem[];
}

/** Parsed version range `minCubeship`. It is parsed only once, because the check of each app needs the result. */
export interface MinCubeship {
  isRange: boolean;
  /**
   * Map from template feature to whether `minCubeship` excludes all versions without the feature. Cubeship is an older
   * platform with the same template format.
   */
  keepsOut: Record<keyof typeof CUBESHIP_GATES, boolean>;
}

/**
 * Function that reports a problem. `hint` can be a slow function, because it is called only for problems in the list.
 */
type Say = (code: Code, path: Path, message: string, hint?: string | (() => string | undefined)) => void;

/**
 * Collects the data for all checks of a template. If two parts of the same kind have the same key, the key refers to
 * the first part.
 */
export function scopeOf(draft: Draft): Scope {
  const problems: Problem[] = [];
  const unlisted = { count: 0 };
  /*
   * Errors and warnings have separate limits. Otherwise, many warnings could use up the limit, and errors would be
   * missing.
   */
  const say = (severity: Severity): Say => {
    let listed = 0;
    return (code, path, message, hint) => {
      if (listed === LIMITS.problems) {
        unlisted.count += 1;
        return;
      }
      listed += 1;
      const hintText = typeof hint === 'function' ? hint() : hint;
      problems.push({ severity, code, message, path, ...(hintText !== undefined && { hint: hintText }) });
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
  /*
   * A range with an empty alternative, such as `^1 ||`, excludes all old versions of Cubeship, because these versions
   * cannot parse the range.
   */
  const keepsOutAll = range !== undefined && hasEmptyAlternative(range);
  const keeps = (gate: Gate) => keepsOutAll || keepsOut(range, gate);
  const { volumes, tcp, extensions } = CUBESHIP_GATES;
  return {
    isRange: range !== undefined && isRange(range),
    keepsOut: { volumes: keeps(volumes), tcp: keeps(tcp), extensions: keeps(extensions) },
  };
}
