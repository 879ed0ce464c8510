export function engineFlags(options?: { liveRestore?: boolean; file?: string }): Promise<string[]>;
export function writeEngineSettings(file?: string): Promise<void>;
