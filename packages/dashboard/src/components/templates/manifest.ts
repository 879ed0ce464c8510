/** Evaluates a template manifest for given input values. */
import type { TemplateManifest } from '@davit/api';

export type Manifest = TemplateManifest['manifest'];
export type Input = Manifest['inputs'][number];
export type ManifestApp = Manifest['apps'][number];
type Condition = NonNullable<ManifestApp['when']>;

/** Typed input values by the key of the template input. */
export type Answers = Readonly<Record<string, string>>;

/**
 * Returns whether a condition of a template is true. Without `equals` and `not`, the condition is true if the input is
 * not empty. A missing condition is always true.
 */
export function holds(when: Condition | undefined, answers: Answers): boolean {
  if (when === undefined) return true;
  const answer = answers[when.input] ?? '';
  return when.equals === undefined ? answer !== (when.not ?? '') : answer === when.equals;
}

/**
 * Describes a condition of a template, such as `only when “Mail” is “smtp”`. A missing condition returns an empty
 * string.
 */
export function conditionWords({ inputs }: Pick<Manifest, 'inputs'>, when: Condition | undefined): string {
  if (when === undefined) return '';
  const label = inputs.find(({ key }) => key === when.input)?.label ?? when.input;
  if (when.equals !== undefined) return `only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `only when “${label}” is set` : `only when “${label}” is not “${when.not}”`;
}

const REFERENCE = /\$\{\s*input\.([\w-]+)\s*\}/g;

/** Returns the keys of all template inputs that a part of the manifest references. */
function askedIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(REFERENCE)].map(([, key = '']) => key);
}

interface Part {
  /** Conditions of the template part. The part is created if all conditions are true. */
  when: (Condition | undefined)[];
  asks: string[];
}

/** Returns the parts of a template manifest that may have a condition, each with the inputs that it references. */
function partsOf({ databases, stores, apps, jobs = [] }: Manifest): Part[] {
  const whole = (thing: { when?: Condition | undefined }): Part => ({ when: [thing.when], asks: askedIn(thing) });
  return [...[...databases, ...stores, ...jobs].map(whole), ...apps.flatMap(partsOfApp)];
}

function partsOfApp({ when, domains, env_when = [], attach, volumes, tcp, ...rest }: ManifestApp): Part[] {
  const within = [...domains, ...env_when, ...attach, ...volumes, ...tcp].map((part): Part => {
    // An attached store may have the key of an input. The user then chooses the store with that input.
    const store = 'kind' in part && part.kind === 'store' ? [part.key] : [];
    return { when: [when, part.when], asks: [...askedIn(part), ...store] };
  });
  return [{ when: [when], asks: askedIn(rest) }, ...within];
}

/**
 * Returns the keys of the template inputs that have an effect for the given values. Inputs that are referenced only by
 * omitted parts are excluded. Inputs without any reference are included, because the template's author added them on
 * purpose.
 */
export function neededInputs(manifest: Manifest, answers: Answers): Set<string> {
  const parts = partsOf(manifest);
  const asked = new Set(parts.flatMap(({ asks }) => asks));
  const there = parts.filter(({ when }) => when.every((one) => holds(one, answers)));
  const needed = new Set(there.flatMap(({ asks, when }) => [...asks, ...when.map((one) => one?.input ?? '')]));
  // An input in a condition always has an effect, because its value decides whether a part is created.
  const deciding = new Set(parts.flatMap(({ when }) => when.map((one) => one?.input ?? '')));
  const isNeeded = (key: string) => needed.has(key) || deciding.has(key) || !asked.has(key);
  return new Set(manifest.inputs.map(({ key }) => key).filter(isNeeded));
}

/** Returns whether the server generates a value for the secret input if the user leaves it empty. */
export function isGenerated({ type, generate, format }: Input): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}
