/** Arguments for an object store and for a bucket. */
export const STORE = { description: 'the store, by its name' } as const;
export const BUCKET = { description: 'the bucket' } as const;
