export { type Checked, checkTemplate, VALIDATOR_VERSION } from './check.ts';
export { CODES, type Code, type CodeInfo, LAYERS, type Layer } from './codes.ts';
export type { Diagnostic, Path, Problem, Severity } from './diagnostic.ts';
export type * from './manifest.ts';
