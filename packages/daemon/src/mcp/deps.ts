import type { TemplatesDeps } from '../resources/templates/deps.ts';

/** Dependencies of the functions in this folder. */
export type McpDeps = TemplatesDeps;
