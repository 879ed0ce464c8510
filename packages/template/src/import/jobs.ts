import type { DraftJob } from '../draft.ts';
import { filledWords } from './apps.ts';
import { wordsOfCommand } from './command-line.ts';
import type { EnvMaking } from './env.ts';
import { slugOf } from './names.ts';
import type { Dependencies } from './plans.ts';
import { dependenciesOf, type Service } from './services.ts';
import { textOf } from './values.ts';

/** In which app a service that runs to its end runs as a job; null: in none, and why is told. */
export function jobApp(service: Service, services: readonly Service[]): Service | null {
  const apps = services.filter(({ role, values }) => role === 'app' && isSameSource(values, service.values));
  const isWaiting = ({ values }: Service) => dependenciesOf(values).some(({ name }) => name === service.name);
  return apps.find(isWaiting) ?? apps[0] ?? null;
}

function isSameSource(one: Service['values'], other: Service['values']): boolean {
  const [image, otherImage] = [textOf(one.image), textOf(other.image)];
  if (image !== null || otherImage !== null) return image === otherImage;
  return JSON.stringify(one.build) === JSON.stringify(other.build);
}

/** Why a service that runs to its end cannot be a job; null: it can. */
export function whyNoJob(service: Service, app: Service | null, making: Pick<EnvMaking, 'variables'>): string | null {
  if (app === null)
    return 'It runs to its end, which only a job does, and a job needs the image of an app: add its work to one.';
  const { entrypoint, command } = service.values;
  const words = [entrypoint, command].flatMap((value) => wordsOfCommand(value, making.variables) ?? []);
  const hasCommand = words.some((word) => word !== '');
  return hasCommand ? null : 'It runs to its end, and what it runs is in its image alone: a job needs a `command`.';
}

export function jobOf(service: Service, app: Service, { keys }: Dependencies, making: EnvMaking): DraftJob {
  const { key, values, tell } = service;
  const words = [values.entrypoint, values.command].flatMap((value) => wordsOfCommand(value, making.variables) ?? []);
  const name = slugOf(key, 'job');
  // A job has what its app has, and that app may wait for it.
  const others = keys.filter((other) => other !== app.key);
  tell.changed('service', `It is a job that runs in the app «${app.key}», with the variables of that app.`);
  return {
    key,
    ...(name !== key && { name }),
    app: app.key,
    on: 'always',
    ...(others.length > 0 && { depends_on: others }),
    command: filledWords(words, making, () => tell.leftOut('command', 'A word of it is empty.')) ?? [],
  };
}
