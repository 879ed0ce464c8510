/** What a template's manifest says, for people: what there is of it for the answers that were given. */
import type { TemplateManifest } from '@davit/api';

export type Manifest = TemplateManifest['manifest'];
export type Input = Manifest['inputs'][number];
export type ManifestApp = Manifest['apps'][number];
type Condition = NonNullable<ManifestApp['when']>;

/** By the key of the input, as they are typed. */
export type Answers = Readonly<Record<string, string>>;

/** Whether a condition holds: with neither `equals` nor `not`, when there is an answer. Absent: always. */
export function holds(when: Condition | undefined, answers: Answers): boolean {
  if (when === undefined) return true;
  const answer = answers[when.input] ?? '';
  return when.equals === undefined ? answer !== (when.not ?? '') : answer === when.equals;
}

/** `, only when “Mail” is “smtp”`; nothing: an empty text. */
export function conditionWords({ inputs }: Pick<Manifest, 'inputs'>, when: Condition | undefined): string {
  if (when === undefined) return '';
  const label = inputs.find(({ key }) => key === when.input)?.label ?? when.input;
  if (when.equals !== undefined) return `only when “${label}” is “${when.equals}”`;
  return when.not === undefined ? `only when “${label}” is answered` : `only when “${label}” is not “${when.not}”`;
}

const REFERENCE = /\$\{\s*input\.([\w-]+)\s*\}/g;

/** The inputs that a part of the manifest asks for, in whatever text of it. */
function askedIn(part: unknown): string[] {
  const text = JSON.stringify(part) ?? '';
  return [...text.matchAll(REFERENCE)].map(([, key = '']) => key);
}

interface Part {
  /** All have to hold for it to be there. */
  when: (Condition | undefined)[];
  asks: string[];
}

/** The parts of a template that may be left out, each with the inputs that it needs. */
function partsOf({ databases, stores, apps, jobs = [] }: Manifest): Part[] {
  const whole = (thing: { when?: Condition | undefined }): Part => ({ when: [thing.when], asks: askedIn(thing) });
  return [...[...databases, ...stores, ...jobs].map(whole), ...apps.flatMap(partsOfApp)];
}

function partsOfApp({ when, domains, env_when = [], attach, volumes, tcp, ...rest }: ManifestApp): Part[] {
  const within = [...domains, ...env_when, ...attach, ...volumes, ...tcp].map((part): Part => {
    // A store that was answered for is attached by the key of its input.
    const store = 'kind' in part && part.kind === 'store' ? [part.key] : [];
    return { when: [when, part.when], asks: [...askedIn(part), ...store] };
  });
  return [{ when: [when], asks: askedIn(rest) }, ...within];
}

/**
 * Inputs that matter for these answers: what only asks for something that is left out need not be asked. One that nothing
 * refers to is asked all the same: its author wants to know it.
 */
export function neededInputs(manifest: Manifest, answers: Answers): Set<string> {
  const parts = partsOf(manifest);
  const asked = new Set(parts.flatMap(({ asks }) => asks));
  const there = parts.filter(({ when }) => when.every((one) => holds(one, answers)));
  const needed = new Set(there.flatMap(({ asks, when }) => [...asks, ...when.map((one) => one?.input ?? '')]));
  // Whether a part is there hangs on its condition's answer, whatever that is now.
  const deciding = new Set(parts.flatMap(({ when }) => when.map((one) => one?.input ?? '')));
  const isNeeded = (key: string) => needed.has(key) || deciding.has(key) || !asked.has(key);
  return new Set(manifest.inputs.map(({ key }) => key).filter(isNeeded));
}

/** Whether the instance makes a secret up where none is given. */
export function isGenerated({ type, generate, format }: Input): boolean {
  return type === 'secret' && (generate !== undefined || format !== undefined);
}
