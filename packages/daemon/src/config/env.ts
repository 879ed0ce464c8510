import { type Config, makeConfig } from './config.ts';
import { readRawSettings } from './settings.ts';

/**
 * Reads the configuration: flags first, then environment variables, then defaults. No other function reads the
 * environment.
 */
export function configFromProcess(args: string[] = process.argv.slice(2)): Config {
  const surroundings = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readRawSettings(process.env, args), surroundings);
}
