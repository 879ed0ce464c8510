export { type Checked, checkTemplate, VALIDATOR_VERSION } from './check.ts';
export { checkTemplateBytes } from './check-bytes.ts';
export { CODES, type Code, type CodeInfo, LAYERS, type Layer } from './codes.ts';
export { type Decoded, decodeTemplate } from './decode.ts';
export type { Diagnostic, Path, Problem, Severity } from './diagnostic.ts';
export type * from './manifest.ts';
export { type Compiled, compilePattern, type Pattern } from './pattern/pattern.ts';
export { type PngHeader, readPngHeader } from './png-header.ts';
export { ATTRIBUTES, inputAlone, type Reference, type ReferenceKind, referencesIn, substitute } from './references.ts';
export {
  checkIcon,
  checkReleaseFiles,
  ICON_SIDE,
  RELEASE_CAPS,
  type ReleaseFile,
  type ReleaseFiles,
  type ReleasePath,
} from './release-files.ts';
export { parseBytes } from './rules/amounts.ts';
export { databaseVariables, storeVariables } from './rules/attachment-variables.ts';
export { isNewBucketName } from './rules/bucket-name.ts';
export { admits } from './rules/conditions.ts';
export { ENGINES, type Engine, engineNamed } from './rules/engines.ts';
export { EXTENSIONS, type Extension } from './rules/extensions.ts';
export { type JsonSchema, SCHEMA_ID, templateSchema } from './schema/json.ts';
export { ADDITIONS_GATE, CUBESHIP_GATES, CUBESHIP_LEVEL, DAVIT_LEVEL, type Gate, satisfies } from './versions.ts';
