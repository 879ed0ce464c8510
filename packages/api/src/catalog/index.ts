export * from './client.ts';
export * from './errors.ts';
export * from './limits.ts';
export * from './manifest.ts';
export * from './operations.ts';
export * from './schemas.ts';
