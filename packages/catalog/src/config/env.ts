import { type CatalogConfig, makeConfig } from './config.ts';
import { readSettings } from './settings.ts';

/**
 * Returns the catalog configuration. Flags override environment variables, and environment variables override defaults.
 * No other code of the catalog reads the environment.
 * @throws ConfigInvalid with a line for every invalid setting
 * @throws TypeError for an unknown flag
 */
export function configFromProcess(args: string[]): CatalogConfig {
  const processEnvironment = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readSettings(process.env, args), processEnvironment);
}
