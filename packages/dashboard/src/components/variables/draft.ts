import { useState } from 'react';
import { differences, type Edits, type Entry, withEdit } from './changes.ts';
import type { LevelAnswers } from './level.ts';
import type { Origin, SourceEntries } from './rows.ts';

/** Environment variable that another user changed while this page had unsaved changes. */
export interface ConcurrentChange {
  key: string;
  source: Origin;
  from: Entry | null;
  to: Entry | null;
}

/**
 * Unsaved changes of environment variables. Also contains the variables that were stored when the user began to edit.
 */
export interface VariablesDraft {
  edits: Edits;
  isChanged: boolean;
  /** Changes of environment variables that other users saved after the user had begun to edit. */
  meanwhile: ConcurrentChange[];
  /**
   * Adds an unsaved change of an environment variable.
   * @param entry new value and secret flag, or `null` to remove the environment variable
   */
  edit: (key: string, entry: Entry | null) => void;
  editAll: (entries: ReadonlyMap<string, Entry>) => void;
  undo: (key: string) => void;
  reset: () => void;
}

interface State {
  edits: Edits;
  base: readonly SourceEntries[] | null;
}

const NONE: State = { edits: new Map(), base: null };

export function useVariablesDraft({ own, wider }: LevelAnswers): VariablesDraft {
  const [{ edits, base }, setState] = useState(NONE);
  const now = [own, ...wider];
  const change = (next: (edits: Edits) => Edits) =>
    setState((state) => {
      const changed = next(state.edits);
      return changed.size === 0 ? NONE : { edits: changed, base: state.base ?? now };
    });
  const editAll = (entries: Edits) =>
    change((before) => [...entries].reduce((all, [key, entry]) => withEdit(own.entries, all, key, entry), before));
  return {
    edits,
    isChanged: edits.size > 0,
    meanwhile: base ? concurrentChangesOf(base, now) : [],
    edit: (key, entry) => editAll(new Map([[key, entry]])),
    editAll,
    undo: (key) => change((before) => new Map([...before].filter(([name]) => name !== key))),
    reset: () => setState(NONE),
  };
}

function concurrentChangesOf(base: readonly SourceEntries[], now: readonly SourceEntries[]): ConcurrentChange[] {
  return now.flatMap(({ source, entries }, i) =>
    differences(base[i]?.entries ?? entries, entries).map(({ key, from, to }) => ({ key, source, from, to })),
  );
}
