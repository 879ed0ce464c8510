/**
 * Matches names of environment variables. Dots are allowed, because some programs read variables such as
 * `discovery.type`, although a shell cannot read them. This module has no imports, so that the dashboard can load it
 * without the schemas.
 */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;
