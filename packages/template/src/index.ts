export { type Checked, checkTemplate, VALIDATOR_VERSION } from './check.ts';
export { checkTemplateBytes } from './check-bytes.ts';
export { CODES, type Code, type CodeInfo, LAYERS, type Layer } from './codes.ts';
export { type Decoded, decodeTemplate } from './decode.ts';
export type { Diagnostic, Path, Problem, Severity } from './diagnostic.ts';
export * from './parts.ts';
export { type PngHeader, readPngHeader } from './png-header.ts';
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
export { isNewBucketName } from './rules/bucket-name.ts';
export { type JsonSchema, SCHEMA_ID, templateSchema } from './schema/json.ts';
