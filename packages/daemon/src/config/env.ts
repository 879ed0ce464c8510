import { type Config, makeConfig } from './config.ts';
import { readRawSettings } from './settings.ts';

/**
 * Reads the daemon's configuration: command line flags first, then environment variables, then defaults. No other code
 * of the daemon reads settings from the environment.
 */
export function configFromProcess(args: string[] = process.argv.slice(2)): Config {
  const surroundings = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readRawSettings(process.env, args), surroundings);
}
