import type { DraftJob } from '../draft.ts';
import { filledWords } from './apps.ts';
import { wordsOfCommand } from './command-line.ts';
import type { EnvMaking } from './env.ts';
import type { Teller } from './notes.ts';
import type { Dependencies } from './plans.ts';
import { dependenciesOf, type Service } from './services.ts';
import { pairsOf, textOf, type Values } from './values.ts';

/**
 * Returns the app whose image a job can use. A job is a Compose service that runs only once. The app must have the same
 * image or build as the job. Returns `null` if there is no such app.
 */
export function jobApp(service: Service, services: readonly Service[]): Service | null {
  const apps = services.filter(({ role, values }) => role === 'app' && isSameSource(values, service.values));
  const isWaiting = ({ values }: Service) => dependenciesOf(values).some(({ name }) => name === service.name);
  return apps.find(isWaiting) ?? apps[0] ?? null;
}

/** Returns whether two Compose services use the same image or are built from the same source. */
export function isSameSource(one: Service['values'], other: Service['values']): boolean {
  const [image, otherImage] = [textOf(one.image), textOf(other.image)];
  if (image !== null || otherImage !== null) return image === otherImage;
  return JSON.stringify(one.build) === JSON.stringify(other.build);
}

/**
 * Returns the reason why a Compose service that runs only once cannot become a job in the template. Returns `null` if
 * the service can become a job.
 */
export function whyNoJob(service: Service, app: Service | null, making: Pick<EnvMaking, 'variables'>): string | null {
  if (app === null)
    return 'The service runs only once, but no app uses the same image. Add the command of the service to an app.';
  const { entrypoint, command } = service.values;
  const words = [entrypoint, command].flatMap((value) => wordsOfCommand(value, making.variables) ?? []);
  const hasCommand = words.some((word) => word !== '');
  return hasCommand
    ? null
    : 'The service runs only once, but a job needs a `command`. Add the command of the image to the service.';
}

export function jobOf(service: Service, app: Service, { keys }: Dependencies, making: EnvMaking): DraftJob {
  const { key, slug: name, values, tell: report } = service;
  const words = [values.entrypoint, values.command].flatMap((value) => wordsOfCommand(value, making.variables) ?? []);
  /*
   * The dependency of a job on its own app is omitted. If the app waits for the job, this dependency would create a
   * cycle.
   */
  const others = keys.filter((other) => other !== app.key);
  report.changed('service', `Converted to a job of the app “${app.key}”, which uses the variables of that app.`);
  reportVariables(values, app.values, report);
  return {
    key,
    ...(name !== key && { name }),
    app: app.key,
    on: 'always',
    ...(others.length > 0 && { depends_on: others }),
    command: filledWords(words, making) ?? [],
  };
}

const MOST_NAMES = 10;

/** Adds a note about the variables of a job. A job has only the variables of its app. */
function reportVariables(job: Values, app: Values, report: Teller): void {
  const known = new Map(pairsOf(app.environment));
  const own = pairsOf(job.environment);
  const lost = own.filter(([name, value]) => known.get(name) !== value).map(([name]) => name.slice(0, 60));
  const shown = lost.slice(0, MOST_NAMES).join(', ');
  if (lost.length > 0)
    report.leftOut('environment', `The job has the variables of its app. Add these to the app: ${shown}.`);
  else if (own.length > 0) report.carried('environment', 'The job has the variables of its app.');
}
