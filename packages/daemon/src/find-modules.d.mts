import type { ResolveHookSync } from 'node:module';

export function findModulesQuickly(): void;
export function createResolve(): ResolveHookSync;
