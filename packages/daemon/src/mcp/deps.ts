import type { TemplatesDeps } from '../resources/templates/deps.ts';

export type McpDeps = TemplatesDeps;
