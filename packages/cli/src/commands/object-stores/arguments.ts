export const OBJECT_STORE = { description: 'name of the object store' } as const;
export const BUCKET = { description: 'name of the bucket' } as const;
