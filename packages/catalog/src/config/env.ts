import { type CatalogConfig, makeConfig } from './config.ts';
import { readSettings } from './settings.ts';

/**
 * The only place that reads the environment: flags, then variables, then defaults.
 * @throws ConfigInvalid naming every setting that is wrong; TypeError for an unknown flag
 */
export function configFromProcess(args: string[]): CatalogConfig {
  const surroundings = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readSettings(process.env, args), surroundings);
}
