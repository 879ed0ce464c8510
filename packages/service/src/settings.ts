import { parseArgs } from 'node:util';

/** Setting of a server, with its environment variable, its default as text, and its description. */
export interface Setting {
  env: string;
  default: string;
  help: string;
  /**
   * Whether the setting is secret. A secret setting has no command-line flag, because all users of the server can read
   * the command lines of processes.
   */
  secret?: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting>>;

/** Values of the settings that the user configured, as text. */
export type RawSettings<T extends SettingsTable> = Partial<Record<keyof T & string, string>>;

/** Error for invalid settings of a server. The error message contains each problem on a separate line. */
export class ConfigInvalid extends Error {
  override name = 'ConfigInvalid';
}

/** Returns the command-line flag of a setting. For example, `httpPort` becomes `http-port`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the name of a setting for messages, such as `DAVIT_LISTEN (--listen)`. */
export function nameOf(name: string, { env, secret }: Setting): string {
  return secret ? env : `${env} (--${flagOf(name)})`;
}

/**
 * Reads settings from command-line flags and environment variables. Flags take precedence. An empty value means that
 * the setting is absent.
 * @param reference URL in the error message
 * @throws TypeError for an unknown flag
 */
export function readSettingsOf<const T extends SettingsTable>(
  table: T,
  env: NodeJS.ProcessEnv,
  args: string[],
  reference: string,
): RawSettings<T> {
  const flags = Object.entries(table).filter(([, { secret }]) => !secret);
  const options = Object.fromEntries(flags.map(([name]) => [flagOf(name), { type: 'string' as const }]));
  const values = parse(args, options, reference);
  const raw: Record<string, string> = {};
  for (const [name, setting] of Object.entries(table)) {
    const value = (setting.secret ? undefined : values[flagOf(name)]) ?? env[setting.env];
    if (typeof value === 'string' && value !== '') raw[name] = value;
  }
  return raw as RawSettings<T>;
}

/** Parses a TCP port. The port 0 means any free port. Returns `null` if the text is invalid. */
export function parsePort(text: string): number | null {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 0 && port <= 65_535 ? port : null;
}

/** Parses an address with a port, such as `127.0.0.1:3000` or `[::1]:3000`. Returns `null` if the text is invalid. */
export function parseListen(text: string): { host: string; port: number } | null {
  const match = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/.exec(text);
  const port = match?.[2] === undefined ? null : parsePort(match[2]);
  return match?.[1] === undefined || port === null ? null : { host: match[1].replace(/^\[|\]$/g, ''), port };
}

/** Returns the settings as rows of a Markdown table for the documentation. */
export function settingsRows(table: SettingsTable): string {
  return Object.entries(table)
    .map(([name, { env, default: fallback, help, secret }]) => {
      return `| \`${env}\` | ${secret ? '' : `\`--${flagOf(name)}\``} | ${fallback} | ${help} |`;
    })
    .join('\n');
}

function parse(
  args: string[],
  options: Record<string, { type: 'string' }>,
  reference: string,
): Record<string, unknown> {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    throw new TypeError(`${ended((cause as Error).message)} Find all settings in ${reference}.`, { cause });
  }
}

function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}
