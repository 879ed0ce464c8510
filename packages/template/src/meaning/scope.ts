import type { Code } from '../codes.ts';
import type { Path, Problem, Severity } from '../diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput, DraftJob, DraftStore } from '../draft.ts';
import { type Substituted, substitutedIn } from '../substituted.ts';

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
  error: Say;
  warning: Say;
  info: Say;
  /** What was said, in that order. */
  problems: Problem[];
}

type Say = (code: Code, path: Path, message: string, hint?: string) => void;

/** Prepares the checks of a file; of two things with one key, the first is the one that references mean. */
export function scopeOf(draft: Draft): Scope {
  const problems: Problem[] = [];
  const say =
    (severity: Severity): Say =>
    (code, path, message, hint) => {
      problems.push({ severity, code, message, path, ...(hint !== undefined && { hint }) });
    };
  return {
    draft,
    inputs: byKey(draft.inputs),
    databases: byKey(draft.databases),
    stores: byKey(draft.stores),
    apps: byKey(draft.apps),
    jobs: byKey(draft.jobs),
    texts: substitutedIn(draft),
    error: say('error'),
    warning: say('warning'),
    info: say('info'),
    problems,
  };
}

function byKey<Item extends { key: string }>(items: readonly Item[] = []): Map<string, Item> {
  const map = new Map<string, Item>();
  for (const item of items) if (!map.has(item.key)) map.set(item.key, item);
  return map;
}
