import type { ObjectStore } from '@davit/api';

export interface End {
  title: string;
  says: string;
  action: string;
  confirm: string;
  /** End of the success message, such as `was unlinked.` The name of the object store is the start of this message. */
  said: string;
}

/**
 * Returns the texts of the dialog that unlinks or deletes an object store. A linked object store is unlinked. A managed
 * object store is moved to the trash, or deleted from the trash.
 */
export function endOf({ kind, status }: Pick<ObjectStore, 'kind' | 'status'>): End {
  if (kind === 'linked') {
    return {
      ...{
        title: 'Unlink store',
        says: 'Removes the store and its keys from Davit. The objects in the store are kept.',
      },
      ...{ action: 'Unlink…', confirm: 'Unlink store', said: 'was unlinked.' },
    };
  }
  if (status === 'trash') {
    return {
      ...{
        title: 'Delete store permanently',
        says: 'Permanently deletes all objects of the object store. This cannot be undone.',
      },
      ...{ action: 'Delete permanently…', confirm: 'Delete permanently', said: 'was permanently deleted.' },
    };
  }
  return {
    title: 'Delete store',
    says: 'Stops the object store and moves it with all its objects to the trash. You can restore it until Davit permanently deletes it.',
    ...{ action: 'Delete…', confirm: 'Move to trash', said: 'was moved to the trash.' },
  };
}
