import { type Config, makeConfig } from './config.ts';
import { readRawSettings } from './settings.ts';

/** The only place that reads the environment: flags, then variables, then defaults. */
export function configFromProcess(args: string[] = process.argv.slice(2)): Config {
  const surroundings = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readRawSettings(process.env, args), surroundings);
}
