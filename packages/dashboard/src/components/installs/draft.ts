import { DavitError, type InstallProblem } from '@davit/api';
import type { Args } from '../../api.ts';
import { sentenceOf } from '../../util/field-error.ts';
import { type Answers, isGenerated, type Manifest, neededInputs } from '../templates/manifest.ts';

export type ThingKind = 'databases' | 'object_stores' | 'apps';

export interface InstallDraft {
  project: string;
  environment: string;
  /**
   * Names that the user entered for databases, object stores and apps. There is one map for each kind of resource. The
   * key in the map is the key of the resource in the template.
   */
  names: Record<ThingKind, Record<string, string>>;
  /** Input values that the user typed. The key is the key of the template input. */
  inputs: Record<string, string>;
  keepFailed: boolean;
  /**
   * Map from the name (key) of a database in the template to the reference of an existing database. The installation
   * uses the existing database and does not create a new one.
   */
  adopt: Record<string, string>;
  /**
   * Whether a new app uses the remaining volumes of a deleted app with the same address (`project/environment/app`).
   */
  adoptVolumes: boolean;
}

export type InstallBody = NonNullable<Args<'installTemplate'>['body']>;

/** Returns the default of a template input as text. Large numbers are written without an exponent. */
export function suggested({ default: usual }: Manifest['inputs'][number]): string {
  if (usual === undefined) return '';
  if (typeof usual === 'string') return usual;
  return Number.isInteger(usual) ? BigInt(usual).toString() : String(usual);
}

export function emptyDraft(
  manifest: Manifest,
  target: { project?: string | null; environment?: string | null } = {},
): InstallDraft {
  return {
    project: target.project || manifest.project,
    environment: target.environment || manifest.environment,
    names: { databases: {}, object_stores: {}, apps: {} },
    inputs: Object.fromEntries(manifest.inputs.map((input) => [input.key, suggested(input)])),
    keepFailed: false,
    adopt: {},
    adoptVolumes: false,
  };
}

/**
 * Returns the install form for another release of the template. Values that the user has entered are kept if the other
 * release has the same inputs.
 */
export function carriedOver(before: InstallDraft, manifest: Manifest): InstallDraft {
  const fresh = emptyDraft(manifest);
  const known = Object.entries(before.inputs).filter(([key, text]) => Object.hasOwn(fresh.inputs, key) && text !== '');
  return { ...before, inputs: { ...fresh.inputs, ...Object.fromEntries(known) } };
}

/**
 * Converts the install form into a request body. Values that equal the template's default are omitted. The server adds
 * the defaults and generates the secrets.
 */
export function bodyOf(draft: InstallDraft, manifest: Manifest): InstallBody {
  const needed = neededInputs(manifest, draft.inputs);
  const sent = manifest.inputs.filter((input) => {
    const text = draft.inputs[input.key] ?? '';
    if (!needed.has(input.key) || (isGenerated(input) && text === '')) return false;
    return text !== suggested(input);
  });
  const { project, environment, names, keepFailed, adopt, adoptVolumes } = draft;
  return {
    ...{ project, environment, keep_failed: keepFailed },
    inputs: Object.fromEntries(sent.map(({ key }) => [key, draft.inputs[key] ?? ''])),
    names: { databases: typed(names.databases), object_stores: typed(names.object_stores), apps: typed(names.apps) },
    adopt: { databases: typed(adopt), volumes: adoptVolumes },
  };
}

function typed(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Returns the server's error message for a field of the install form, or `null` if there is none. */
export function problemOf(problems: readonly InstallProblem[], field: string): string | null {
  return problems.find((problem) => problem.field === field)?.message ?? null;
}

/** Returns the problems of the install form that belong to none of the given fields. */
export function problemsOutside(problems: readonly InstallProblem[], fields: readonly string[]): InstallProblem[] {
  return problems.filter(({ field }) => !fields.includes(field));
}

/**
 * Returns the template inputs that the install form shows. An input is shown if its value has an effect or the server
 * reported a problem with it.
 */
export function inputsShown(manifest: Manifest, answers: Answers, problems: readonly InstallProblem[]) {
  const needed = neededInputs(manifest, answers);
  return manifest.inputs.filter(({ key }) => needed.has(key) || problemOf(problems, `inputs.${key}`) !== null);
}

/**
 * Converts a server error into problems of the install form. If the form has no field for a problem, the message starts
 * with the field's name.
 */
export function problemsIn(error: Error, fields: readonly string[]): InstallProblem[] {
  const known = error instanceof DavitError ? error.fields : [];
  if (known.length === 0) return [{ field: '', code: 'invalid', message: error.message }];
  return known.map((problem) => {
    const { path, code, message } = problem;
    return fields.includes(path) ? { field: path, code, message } : { field: '', code, message: sentenceOf(problem) };
  });
}
