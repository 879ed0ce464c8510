import { type Config, makeConfig } from './config.ts';
import { readRawSettings } from './settings.ts';

/**
 * Reads the daemon's settings. Flags take precedence over environment variables, and both over defaults. Other code
 * must not read settings from the environment.
 */
export function configFromProcess(args: string[] = process.argv.slice(2)): Config {
  const facts = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readRawSettings(process.env, args), facts);
}
