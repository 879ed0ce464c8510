/** Generates the first davit.yaml of an app, for `davit init`. */
import { Slug } from '@davit/api';
import { stringify } from 'yaml';
import { parseDavitFile } from '../davit-yaml/parse.ts';
import { CliError } from '../errors/exit.ts';
import type { Prompter } from '../prompts/prompter.ts';
import type { WhatIsThere } from './what-is-there.ts';

/**
 * Path of the JSON Schema for editors, relative to davit.yaml. A local file also works offline and always matches the
 * version of the CLI.
 */
export const SCHEMA_FILE = '.davit/schema.json';

export interface StartOptions {
  app: string | undefined;
  port: string | undefined;
  image: string | undefined;
  health: string | undefined;
}

const USUAL_PORT = 8080;
const WORKER = 'none';

/**
 * Generates the text of a davit.yaml. Prompts for values that are missing in the options and in the Dockerfile.
 * @throws CliError with exit `usage`
 */
export async function startFile(
  { ask: prompter }: { ask: Prompter },
  { app: givenApp, port: givenPort, image, health }: StartOptions,
  { ports, folder }: WhatIsThere & { folder: string },
): Promise<{ app: string; text: string }> {
  const name = slugOf(folder);
  const app = givenApp ?? (await answer(prompter, 'App, as project/environment/app:', `${name}/production/${name}`));
  const [only] = ports.length === 1 ? ports : [];
  // If the Dockerfile exposes only one port, the instance reads this port from the image.
  const isKnown = only !== undefined || image !== undefined;
  const port = givenPort ?? (isKnown ? undefined : await answer(prompter, QUESTION, String(ports[0] ?? USUAL_PORT)));
  const text = textOf({ app, image, port, health });
  const parsed = parseDavitFile(text);
  if (!parsed.ok)
    throw new CliError('usage', `${parsed.mistakes[0]?.message ?? 'The values are not valid'}. Nothing was written.`);
  return { app: parsed.file.app, text };
}

const QUESTION = `Port that the app listens on ("${WORKER}": worker):`;

async function answer(prompter: Prompter, question: string, usual: string): Promise<string> {
  if (!prompter.isPossible) return usual;
  return (await prompter.text(question, { initial: usual })).trim() || usual;
}

/** Converts a folder name to an app name. Returns `app` if the folder name cannot be converted. */
function slugOf(folder: string): string {
  const slug = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return Slug.safeParse(slug).success ? slug : 'app';
}

interface Said {
  app: string;
  image: string | undefined;
  port: string | undefined;
  health: string | undefined;
}

function textOf({ app, image, port, health }: Said): string {
  const value = port === WORKER ? null : /^\d+$/.test(port ?? '') ? Number(port) : port;
  const settings = stringify({
    app,
    ...(image !== undefined && { image }),
    ...(port !== undefined && { port: value }),
    ...(health !== undefined && { health: { path: health } }),
  });
  const build = image === undefined ? '# build: {context: ., dockerfile: Dockerfile}\n' : '';
  return `# yaml-language-server: $schema=${SCHEMA_FILE}
# Settings of the app for davit up. Missing settings have their defaults; a missing scale stays unchanged.
${settings}${build}# scale: 2
# variables: {LOG_LEVEL: info}
# secrets: [DATABASE_URL]
# domains: [www.example.com]
# volumes: [/var/lib/data]
`;
}
