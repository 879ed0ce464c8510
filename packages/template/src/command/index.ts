export { type CheckedTarget, checkTarget } from './check.ts';
export { checkReport, isRefused, type ReportLook } from './check-output.ts';
export { type ImportedFile, type ImportRequest, importedJson, importFile, importLines } from './import.ts';
export { type CommandIo, UnreadableError } from './io.ts';
export { localFilesBeside } from './local-files.ts';
export { jsonOf } from './run.ts';
