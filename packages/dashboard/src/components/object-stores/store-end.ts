import type { ObjectStore } from '@davit/api';

export interface End {
  title: string;
  says: string;
  action: string;
  confirm: string;
  /**
   * Text of the success message after the name of the object store. For example, the text `was unlinked.` gives the
   * message `photos was unlinked.`
   */
  said: string;
}

/**
 * Returns the texts of the dialog that removes an object store. A linked object store is unlinked. A managed object
 * store moves to the trash, or is deleted permanently if it is already there.
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
    says: 'Stops the object store and moves the object store with its objects to the trash. You can restore the object store until Davit deletes it permanently.',
    ...{ action: 'Delete…', confirm: 'Move to trash', said: 'was moved to the trash.' },
  };
}
