import type { ObjectStore } from '@davit/api';

export interface End {
  title: string;
  says: string;
  action: string;
  confirm: string;
  /** Text after the store's name in the message of success. */
  said: string;
}

/**
 * Describes the removal of a store. A linked store is unlinked. A managed store moves to the trash, and from the trash
 * it is deleted permanently.
 */
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
