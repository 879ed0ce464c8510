export function defaultDataDir(folder: string, xdgDataHome: string | undefined, isRoot: boolean): string;
