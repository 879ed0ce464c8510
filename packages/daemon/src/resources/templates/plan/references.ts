/** Replaces references in a template, such as the host of a database, with their values. */
import { isSecretReference, type Manifest, type Reference, referencesIn, substitute } from '@davit/template/parts';

export interface AppValues {
  internal: string;
  host: string;
  port: string;
}

export interface DatabaseValues {
  host: string;
  port: string;
  user: string;
  password: string;
  name: string;
}

export interface StoreValues {
  bucket: string;
  endpoint: string;
}

/** Values of template placeholders by key. Apps, databases and object stores that are not installed have no values. */
export interface Values {
  inputs: Readonly<Record<string, string>>;
  apps: Readonly<Record<string, AppValues>>;
  databases: Readonly<Record<string, DatabaseValues>>;
  stores: Readonly<Record<string, StoreValues>>;
}

export function resolveText(text: string, values: Values): string {
  return substitute(text, (reference) => valueOf(reference, values));
}

/** Returns the keys of the template inputs that have the type `secret`. */
export function secretInputs({ inputs }: Pick<Manifest, 'inputs'>): Set<string> {
  return new Set(inputs.filter(({ type }) => type === 'secret').map(({ key }) => key));
}

/** Returns whether a text in a template contains a placeholder for a secret, such as a database password. */
export function hasSecret(text: string, secretInputs: ReadonlySet<string>): boolean {
  return referencesIn(text).some((reference) => isSecretReference(reference, secretInputs));
}

function valueOf({ kind, key, attribute = '' }: Reference, values: Values): string {
  if (kind === 'input') return own(values.inputs, key) ?? '';
  const things = { app: values.apps, db: values.databases, store: values.stores }[kind];
  const thing = own<object>(things, key) as Readonly<Record<string, string>> | undefined;
  return (thing && own(thing, attribute)) ?? '';
}

function own<T>(things: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(things, key) ? things[key] : undefined;
}
