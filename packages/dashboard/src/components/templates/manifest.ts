/** Evaluates a template's manifest for given inputs. */
import type { TemplateManifest } from '@davit/api';

export type Manifest = TemplateManifest['manifest'];
export type Input = Manifest['inputs'][number];
export type ManifestApp = Manifest['apps'][number];
type Condition = NonNullable<ManifestApp['when']>;

/** Typed inputs by key. */
export type Answers = Readonly<Record<string, string>>;

/**
 * Returns whether a condition holds. A condition without `equals` and `not` holds if the input is not empty. A missing
 * condition always holds.
 */
export function holds(when: Condition | undefined, answers: Answers): boolean {
  if (when === undefined) return true;
  const answer = answers[when.input] ?? '';
  return when.equals === undefined ? answer !== (when.not ?? '') : answer === when.equals;
}

/** Describes a condition, such as `only when “Mail” is “smtp”`. Returns an empty text for no condition. */
export function conditionWords({ inputs }: Pick<Manifest, 'inputs'>, when: Condition | undefined): string {
  if (when === undefined) return '';
  const label = inputs.find(({ key }) => key === when.input)?.label ?? when.input;
  if (when.equals !== undefined) return `only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `only when “${label}” is set` : `only when “${label}” is not “${when.not}”`;
}

const REFERENCE = /\$\{\s*input\.([\w-]+)\s*\}/g;

/** Returns the keys of all inputs that a part of the manifest references. */
function askedIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(REFERENCE)].map(([, key = '']) => key);
}

interface Part {
  /** Conditions that must all hold for the part to be created. */
  when: (Condition | undefined)[];
  asks: string[];
}

/** Returns the optional parts of a template, each with the inputs that it needs. */
function partsOf({ databases, stores, apps, jobs = [] }: Manifest): Part[] {
  const whole = (thing: { when?: Condition | undefined }): Part => ({ when: [thing.when], asks: askedIn(thing) });
  return [...[...databases, ...stores, ...jobs].map(whole), ...apps.flatMap(partsOfApp)];
}

function partsOfApp({ when, domains, env_when = [], attach, volumes, tcp, ...rest }: ManifestApp): Part[] {
  const within = [...domains, ...env_when, ...attach, ...volumes, ...tcp].map((part): Part => {
    // A store that an input chooses is attached under the key of the input.
    const store = 'kind' in part && part.kind === 'store' ? [part.key] : [];
    return { when: [when, part.when], asks: [...askedIn(part), ...store] };
  });
  return [{ when: [when], asks: askedIn(rest) }, ...within];
}

/**
 * Returns the keys of the inputs that have an effect for the given answers. Inputs that only omitted parts reference
 * are left out. An input without any reference is included, because its author wants an answer.
 */
export function neededInputs(manifest: Manifest, answers: Answers): Set<string> {
  const parts = partsOf(manifest);
  const asked = new Set(parts.flatMap(({ asks }) => asks));
  const there = parts.filter(({ when }) => when.every((one) => holds(one, answers)));
  const needed = new Set(there.flatMap(({ asks, when }) => [...asks, ...when.map((one) => one?.input ?? '')]));
  // An input in a condition is always needed, because its value decides whether a part is created.
  const deciding = new Set(parts.flatMap(({ when }) => when.map((one) => one?.input ?? '')));
  const isNeeded = (key: string) => needed.has(key) || deciding.has(key) || !asked.has(key);
  return new Set(manifest.inputs.map(({ key }) => key).filter(isNeeded));
}

/** Returns whether the instance generates the secret if it is empty. */
export function isGenerated({ type, generate, format }: Input): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}
