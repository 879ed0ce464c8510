export { type Imported, type ImportOptions, importCompose } from './import.ts';
export { localPaths } from './local-paths.ts';
export type { ImportNote, NoteKind } from './notes.ts';
export { importReport, importSummary } from './report.ts';
