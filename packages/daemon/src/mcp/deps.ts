import type { TemplatesDeps } from '../resources/templates/deps.ts';

/** What the functions of this folder work with. */
export type McpDeps = TemplatesDeps;
