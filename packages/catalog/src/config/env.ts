import { type CatalogConfig, makeConfig } from './config.ts';
import { readSettings } from './settings.ts';

/**
 * Returns the configuration of the template catalog. Flags override environment variables, and environment variables
 * override defaults.
 * @throws ConfigInvalid
 * @throws TypeError for an unknown flag
 */
export function configFromProcess(args: string[]): CatalogConfig {
  // This is the only code of the catalog that reads environment variables.
  const processEnvironment = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readSettings(process.env, args), processEnvironment);
}
