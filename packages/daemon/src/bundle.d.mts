export const BUNDLE: URL;
export const SOURCES: URL;
export function isBundleCurrent(list?: URL): boolean;
export function versionOf(path: string): string;
