import type { ObjectStore } from '@davit/api';

export interface End {
  title: string;
  says: string;
  action: string;
  confirm: string;
  /** Behind its name, when it is done. */
  said: string;
}

/** How it ends: one elsewhere is forgotten, one that runs here goes to the trash, and from there for good. */
export function endOf({ kind, status }: Pick<ObjectStore, 'kind' | 'status'>): End {
  if (kind === 'linked') {
    return {
      ...{ title: 'Forget the store', says: 'Its keys are forgotten here; its objects stay where they are.' },
      ...{ action: 'Forget it…', confirm: 'Forget the store', said: 'is forgotten.' },
    };
  }
  if (status === 'trash') {
    return {
      ...{ title: 'Delete the store for good', says: 'All of its objects are gone at once and for ever.' },
      ...{ action: 'Delete for good…', confirm: 'Delete the objects for good', said: 'is gone for good.' },
    };
  }
  return {
    title: 'Delete the store',
    says: 'It is stopped and comes to the trash with its objects, for the days that the settings name.',
    ...{ action: 'Delete it…', confirm: 'Move it to the trash', said: 'is in the trash.' },
  };
}
