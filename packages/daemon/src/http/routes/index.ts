import type { Core } from '../../core/core.ts';
import type { Binding } from '../bind.ts';
import { appRoutes } from './app.ts';
import { deploymentRoutes } from './deployment.ts';
import { domainRoutes } from './domain.ts';
import { instanceRoutes } from './instance.ts';
import { logRoutes } from './log.ts';
import { projectRoutes } from './project.ts';
import { variableRoutes } from './variables.ts';

/** Every operation of the contract with its handler. */
export const bindings = (core: Core): Binding[] => [
  ...instanceRoutes(core),
  ...projectRoutes(core),
  ...appRoutes(core),
  ...variableRoutes(core),
  ...domainRoutes(core),
  ...deploymentRoutes(core),
  ...logRoutes(core),
];
