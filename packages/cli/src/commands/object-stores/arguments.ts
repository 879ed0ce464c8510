/** An object store, and a bucket of one, in a command that is about it. */
export const STORE = { description: 'the store, by its name' } as const;
export const BUCKET = { description: 'the bucket' } as const;
