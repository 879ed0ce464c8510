/**
 * Exports the parts of the template format that do not need the template check. Loading the template check takes a long
 * time, and many commands do not use it.
 */
export type * from './manifest.ts';
export { type Compiled, compilePattern, type Pattern } from './pattern/pattern.ts';
export {
  ATTRIBUTES,
  inputAlone,
  isSecretReference,
  type Reference,
  type ReferenceKind,
  referencesIn,
  substitute,
} from './references.ts';
export { appSettings, databaseSettings, storeSettings } from './requests/settings.ts';
export { databaseVariables, storeVariables } from './rules/attachment-variables.ts';
export { admits } from './rules/conditions.ts';
export { ENGINES, type Engine, engineNamed } from './rules/engines.ts';
export { EXTENSIONS, type Extension } from './rules/extensions.ts';
export { ADDITIONS_GATE, CUBESHIP_GATES, CUBESHIP_LEVEL, DAVIT_LEVEL, type Gate, satisfies } from './versions.ts';
