export { type CheckedFile, type CheckedFileJson, checkedFileJson } from './checked-file.ts';
export { countBySeverity, inOrder } from './order.ts';
export { sarifLog } from './sarif.ts';
export { type Snippet, snippetOf } from './snippet.ts';
export { summaryLine } from './summary.ts';
export { type ReportOptions, type ReportPaint, type ReportStyle, reportLines } from './text.ts';
export { visible } from './visible.ts';
