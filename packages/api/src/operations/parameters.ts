import { z } from 'zod';
import { PathName, QueryBoolean } from '../schemas/common.ts';

const project = PathName.describe('The project’s name.');
const environment = PathName.describe('The environment’s name, such as `production`.');

export const ProjectPath = z.object({ project });
export const EnvironmentPath = z.object({ project, environment });
export const AppPath = z.object({ project, environment, app: PathName.describe('The app’s name.') });
export const DeploymentPath = AppPath.extend({ deployment: z.string().describe('The deployment’s number.') });

export const Wait = QueryBoolean.optional().describe('Hold the connection until the deployment has ended.');
