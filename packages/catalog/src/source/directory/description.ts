import { SourceUnavailable } from '../source.ts';
import { readSmall } from './small-file.ts';

const MAX_BYTES = 64 * 1024;
const MAX_TOPICS = 100;
const MAX_TOPIC = 50;
const MAX_DESCRIPTION = 1000;
const MAX_URL = 2048;

/**
 * Content of the JSON file `<name>.json` beside the Git repository `<name>`. The file describes the repository. Fields
 * that are absent or `null` are ignored.
 */
export interface Description {
  id?: number;
  stars?: number;
  topics?: string[];
  description?: string;
  url?: string;
  avatar_url?: string;
  private?: boolean;
}

const KEYS: { [Key in keyof Required<Description>]: { is: (value: unknown) => boolean; wanted: string } } = {
  id: { is: (value) => Number.isSafeInteger(value) && Number(value) > 0, wanted: 'a positive whole number' },
  stars: { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, wanted: 'a whole number from 0' },
  topics: {
    is: (value) => Array.isArray(value) && value.length <= MAX_TOPICS && value.every(isTopic),
    wanted: `a list of at most ${MAX_TOPICS} texts of 1 to ${MAX_TOPIC} characters`,
  },
  description: {
    is: (value) => isText(value, MAX_DESCRIPTION),
    wanted: `a text of at most ${MAX_DESCRIPTION} characters`,
  },
  url: { is: isWebAddress, wanted: 'an http or https address' },
  avatar_url: { is: isWebAddress, wanted: 'an http or https address' },
  private: { is: (value) => typeof value === 'boolean', wanted: 'true or false' },
};

/**
 * Reads the JSON file that describes a Git repository. Returns an empty object if the file does not exist.
 * @throws SourceUnavailable if the file is invalid
 */
export async function readDescription(path: string): Promise<Description> {
  const text = await readText(path);
  if (text === null) return {};
  const value = parse(path, text);
  const description: Record<string, unknown> = {};
  for (const [key, { is, wanted }] of Object.entries(KEYS)) {
    const said = (value as Record<string, unknown>)[key] ?? undefined;
    if (said === undefined) continue;
    if (!is(said)) throw new SourceUnavailable(`${path}: "${key}" must be ${wanted}.`);
    description[key] = said;
  }
  return description;
}

/** Returns the text of a file, or `null` if the file does not exist. */
async function readText(path: string): Promise<string | null> {
  let bytes: Buffer | null;
  try {
    bytes = await readSmall(path, MAX_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SourceUnavailable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (bytes === null) throw new SourceUnavailable(`${path} is larger than ${MAX_BYTES / 1024} KiB.`);
  // `TextDecoder` removes a byte order mark. `JSON.parse` would reject the byte order mark.
  return new TextDecoder().decode(bytes);
}

function parse(path: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new SourceUnavailable(`${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new SourceUnavailable(`${path} is not a JSON object.`);
}

function isTopic(value: unknown): boolean {
  return isText(value, MAX_TOPIC) && value !== '';
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') && [...value].length <= longest;
}

function isWebAddress(value: unknown): boolean {
  return isText(value, MAX_URL) && /^https?:\/\//.test(String(value)) && URL.canParse(String(value));
}
