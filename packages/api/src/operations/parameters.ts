import { z } from 'zod';
import { PathName, QueryBoolean } from '../schemas/common.ts';

export const ProjectPath = z.object({ project: PathName });
export const EnvironmentPath = z.object({ project: PathName, environment: PathName });
export const AppPath = z.object({ project: PathName, environment: PathName, app: PathName });
export const DeploymentPath = AppPath.extend({ deployment: z.string().describe('The deployment’s number.') });

export const Wait = QueryBoolean.optional().describe('Hold the connection until the deployment has ended.');
