export { type Imported, type ImportOptions, importCompose } from './import.ts';
export { LARGEST_FILE, type LocalFiles, MOST_MOUNTED_FILES } from './local-files.ts';
export { type LocalPath, localPaths } from './local-paths.ts';
export type { ImportNote, NoteKind } from './notes.ts';
export { importReport, importSummary } from './report.ts';
