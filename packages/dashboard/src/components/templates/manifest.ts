/** Evaluates the conditions in a template manifest and finds the inputs that an installation needs. */
import type { TemplateManifest } from '@davit/api';

export type Manifest = TemplateManifest['manifest'];
export type Input = Manifest['inputs'][number];
export type ManifestApp = Manifest['apps'][number];
type Condition = NonNullable<ManifestApp['when']>;

/** Input values that the user typed. The key is the key of the template input. */
export type Answers = Readonly<Record<string, string>>;

/**
 * Returns whether a condition in a template is true. If the condition has neither `equals` nor `not`, the input must
 * not be empty. A missing condition is true.
 */
export function holds(when: Condition | undefined, answers: Answers): boolean {
  if (when === undefined) return true;
  const answer = answers[when.input] ?? '';
  return when.equals === undefined ? answer !== (when.not ?? '') : answer === when.equals;
}

/**
 * Describes a condition in a template for users, such as `only when “Mail” is “smtp”`. Returns an empty string for a
 * missing condition.
 */
export function conditionWords({ inputs }: Pick<Manifest, 'inputs'>, when: Condition | undefined): string {
  if (when === undefined) return '';
  const label = inputs.find(({ key }) => key === when.input)?.label ?? when.input;
  if (when.equals !== undefined) return `only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `only when “${label}” is set` : `only when “${label}” is not “${when.not}”`;
}

const REFERENCE = /\$\{\s*input\.([\w-]+)\s*\}/g;

/** Returns the keys of all template inputs to which a part of the template manifest refers. */
function inputKeysIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(REFERENCE)].map(([, key = '']) => key);
}

interface Part {
  /** Conditions for creating this part of the template. All conditions must be true. */
  when: (Condition | undefined)[];
  asks: string[];
}

/**
 * Returns the parts of a template manifest that can have a condition, such as apps and jobs. Each part contains the
 * keys of the template inputs to which it refers.
 */
function partsOf({ databases, stores, apps, jobs = [] }: Manifest): Part[] {
  const whole = (thing: { when?: Condition | undefined }): Part => ({ when: [thing.when], asks: inputKeysIn(thing) });
  return [...[...databases, ...stores, ...jobs].map(whole), ...apps.flatMap(partsOfApp)];
}

function partsOfApp({ when, domains, env_when = [], attach, volumes, tcp, ...rest }: ManifestApp): Part[] {
  const within = [...domains, ...env_when, ...attach, ...volumes, ...tcp].map((part): Part => {
    // If the user selects the object store in the form, `part.key` is the key of the input for this selection.
    const store = 'kind' in part && part.kind === 'store' ? [part.key] : [];
    return { when: [when, part.when], asks: [...inputKeysIn(part), ...store] };
  });
  return [{ when: [when], asks: inputKeysIn(rest) }, ...within];
}

/**
 * Returns the keys of the template inputs that the form shows. If only parts that will not be installed use an input,
 * the form does not show this input.
 */
export function neededInputs(manifest: Manifest, answers: Answers): Set<string> {
  const parts = partsOf(manifest);
  const referenced = new Set(parts.flatMap(({ asks: inputKeys }) => inputKeys));
  const there = parts.filter(({ when }) => when.every((one) => holds(one, answers)));
  const needed = new Set(
    there.flatMap(({ asks: inputKeys, when }) => [...inputKeys, ...when.map((one) => one?.input ?? '')]),
  );
  // Always show the inputs that the conditions of the template use. These inputs decide which parts are installed.
  const deciding = new Set(parts.flatMap(({ when }) => when.map((one) => one?.input ?? '')));
  // Also show an input that no part of the template uses, because the author probably added the input on purpose.
  const isNeeded = (key: string) => needed.has(key) || deciding.has(key) || !referenced.has(key);
  return new Set(manifest.inputs.map(({ key }) => key).filter(isNeeded));
}

/** Returns whether the server generates a value for a secret input of a template if the input is empty. */
export function isGenerated({ type, generate, format }: Input): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}
