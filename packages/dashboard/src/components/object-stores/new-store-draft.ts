import type { Args } from '../../api.ts';
import { limitsOf, memoryProblem } from '../things/general-draft.ts';

export interface StoreDraft {
  /** Environment for the new object store, in the form `project/environment`. */
  place: string;
  name: string;
  description: string;
  /**
   * Version of the object store's container image. If this field is empty, Davit uses the version with which it was
   * tested.
   */
  version: string;
  cpu: string;
  memory: string;
}

export function newStore(target: string): StoreDraft {
  return { place: target, name: '', description: '', version: '', cpu: '', memory: '' };
}

/**
 * Returns a message about the first missing or wrong field of the new object store form. Returns `null` if all fields
 * are valid.
 */
export function missingInStore({ place: target, name, memory }: StoreDraft): string | null {
  if (target === '') return 'Create a project with an environment first.';
  return name === '' ? 'Enter a name first.' : memoryProblem(memory);
}

export function storeArgs(draft: StoreDraft): Args<'createObjectStore'> {
  const [project = '', environment = ''] = draft.place.split('/');
  const description = draft.description.trim();
  const version = draft.version.trim();
  return {
    params: { project, environment },
    body: {
      name: draft.name,
      ...(description !== '' && { description }),
      ...(version !== '' && { version }),
      limits: limitsOf(draft),
    },
  };
}

/**
 * Submitted forms for new object stores. The key is the name of the new object store. If a creation fails, users do not
 * have to type the values again. The forms contain no access keys.
 */
const sent = new Map<string, StoreDraft>();

export function keepStoreDraft(draft: StoreDraft): void {
  sent.set(draft.name, draft);
}

/**
 * Returns the form for an object store whose creation failed. After a reload of the page, the form contains only the
 * name and the given environment.
 * @param target environment that is selected if the form is not stored, as `project/environment`
 */
export function storeDraftAgain(name: string, target: string): StoreDraft {
  return sent.get(name) ?? { ...newStore(target), name };
}
