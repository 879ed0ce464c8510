/** An object store, and a bucket of one, in a command that is about it. */
export const OBJECT_STORE = { description: 'name of the object store' } as const;
export const BUCKET = { description: 'name of the bucket' } as const;
