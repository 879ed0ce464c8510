export function engineFlags(options?: { liveRestore?: boolean; file?: string }): Promise<string[]>;
